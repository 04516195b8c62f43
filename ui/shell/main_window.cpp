#include "ui/shell/main_window.h"

#include "ui/artifacts/artifacts_panel.h"
#include "ui/commands/quick_popup.h"
#include "ui/compare/compare_panel.h"
#include "ui/graph/canvas/graph_view.h"
#include "ui/graph/panels/inspector.h"
#include "ui/graph/panels/node_palette.h"
#include "ui/graph/panels/outline.h"
#include "ui/logs/log_panel.h"
#include "ui/replay/replay_panel.h"
#include "ui/run/inbox_panel.h"
#include "ui/run/interrupt_card.h"
#include "ui/run/run_bar.h"
#include "ui/run/thread_list.h"
#include "ui/search/search_panel.h"
#include "ui/selection/client_feed.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"
#include "ui/selection/thread_book.h"
#include "ui/sessions/session_panel.h"
#include "ui/shell/canvas_panel.h"
#include "ui/shell/dock_layout.h"
#include "ui/shell/macros.h"
#include "ui/shell/parts/graph_files.h"
#include "ui/shell/parts/last_project.h"
#include "ui/shell/parts/past_verbs.h"
#include "ui/shell/parts/runtime_part.h"
#include "ui/shell/parts/saving.h"
#include "ui/shell/parts/start_part.h"
#include "ui/shell/parts/thread_files.h"
#include "ui/shell/problems_panel.h"
#include "ui/shell/status_line.h"
#include "ui/start/start_page.h"
#include "ui/state/state_panel.h"
#include "ui/storage/storage_panel.h"
#include "ui/terminal/terminal_panel.h"
#include "ui/timeline/overview/thread_overview.h"
#include "ui/timeline/timeline_panel.h"
#include "ui/usage/usage_panel.h"
#include "ui/widgets/banner_stack.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/palette.h"
#include "ui/world/files_panel.h"
#include "ui/world/variables_panel.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QCloseEvent>
#include <QMenuBar>
#include <QMessageBox>
#include <QScreen>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>
#include <QToolBar>
#include <QVBoxLayout>

#include <utility>

namespace sg::ui {
MainWindow::MainWindow(QWidget* parent)
    : QMainWindow(parent)
    , m_clients(std::make_unique<Clients>())
    , m_selection(new Selection(this))
    , m_book(new ThreadBook(this))
    , m_history(new ShownHistory(*m_selection, this))
    , m_feed(new ClientFeed(*m_clients, { *m_selection, *m_book, *m_history }, this))
    , m_runBar(new RunBar(this))
    , m_banners(nullptr)
    , m_pages(new QStackedWidget(this))
    , m_start(new StartPage(m_pages))
    , m_graph(new CanvasPanel(*m_selection, *m_history, m_pages))
    , m_interrupt(new InterruptCard(this))
    , m_threads(new ThreadList(*m_book, this))
    , m_timeline(new TimelinePanel(*m_history, this))
    , m_state(new StatePanel(this))
    , m_log(new LogPanel(this))
    , m_session(new SessionPanel(this))
    , m_variables(new VariablesPanel(this))
    , m_files(new FilesPanel(this))
    , m_artifacts(new ArtifactsPanel(this))
    , m_storage(new StoragePanel(this))
    , m_terminal(new TerminalPanel(this))
    , m_replay(new ReplayPanel(this))
    , m_inbox(new InboxPanel(this))
    , m_search(new SearchPanel(this))
    , m_usage(new UsagePanel(this))
    , m_comparison(new ComparePanel(this))
    , m_overview(new ThreadOverview(this))
    , m_palette(new NodePalette(NodePalette::Use::Dock, this))
    , m_outline(new Outline(m_graph->document(), this))
    , m_problems(new ProblemsPanel(this))
    , m_status(new StatusLine(statusBar()))
{
    setWindowTitle(tr("Sandglass"));
    setObjectName(QStringLiteral("mainWindow"));
    setAcceptDrops(true);
    const QSize room = screen()->availableSize();
    resize(qMin(1600, room.width()), qMin(1000, room.height() - 40)); // the frame comes on top
    setDockOptions(AllowTabbedDocks | AllowNestedDocks);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);

    auto* centre = new QWidget(this);
    auto* column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_pages->addWidget(m_start);
    m_pages->addWidget(m_graph);
    column->addWidget(m_interrupt);
    column->addWidget(m_pages, 1);
    setCentralWidget(centre);
    m_banners = new BannerStack(centre);
    const auto lieOver = [this] {
        m_banners->lieOver(m_pages->currentWidget() == m_graph ? &m_graph->view() : m_pages->currentWidget());
    };
    connect(m_pages, &QStackedWidget::currentChanged, m_banners, lieOver);
    lieOver();

    createToolBar();
    m_docks = new DockLayout(
        *this,
        { m_threads, m_state,      m_graph->inspector(), m_timeline,  m_log,     m_session, m_variables,
          m_files,   m_terminal,   m_problems,           m_artifacts, m_storage, m_replay,  m_palette,
          m_inbox,   m_comparison, m_overview,           m_outline,   m_search,  m_usage });
    createParts();
    connectEditing();
    connectProject();
    connectRuns();
    connectPanels();
    m_past->showVerbs();
    createMenus();
    createCommands();
    restoreGeometry(QSettings().value(QStringLiteral("window/geometry")).toByteArray());
}

MainWindow::~MainWindow()
{
    m_saving->end(); // the focus goes on moving while the parts go
}

void MainWindow::createToolBar()
{
    auto* bar = addToolBar(tr("Run"));
    bar->setObjectName(QStringLiteral("toolBar"));
    bar->setMovable(false);
    bar->setContentsMargins(2, 0, 2, 0);
    bar->toggleViewAction()->setEnabled(false);
    bar->addWidget(m_runBar);
}

void MainWindow::createMenus()
{
    QMenu* file = menuBar()->addMenu(tr("&File"));
    file->addAction(tr("&New project…"), QKeySequence::New, m_startPart, &StartPart::newProject)
        ->setObjectName(QStringLiteral("file.new-graph")); // macros and rebound keys name it so
    file->addAction(tr("&Open…"), QKeySequence::Open, m_startPart, &StartPart::chooseProject);
    file->addAction(tr("Open a &folder…"), m_startPart, &StartPart::chooseFolder);
    file->addAction(tr("Open &sample"), this, [this] { openSample(); });
    file->addSeparator();
    file->addAction(m_saving->saveAction());
    file->addSeparator();
    m_graphFiles->addTo(*file);
    file->addSeparator();
    m_last->addTo(*file);
    file->addSeparator();
    file->addAction(tr("&Quit"), QKeySequence::Quit, this, &QWidget::close);

    createEditMenu(*menuBar()->addMenu(tr("&Edit")));
    createViewMenu(*menuBar()->addMenu(tr("&View")));
    createGraphMenu(*menuBar()->addMenu(tr("&Graph")));

    QMenu* run = menuBar()->addMenu(tr("&Run"));
    run->addAction(m_runBar->runAction());
    run->addAction(m_runBar->resumeAction());
    run->addAction(m_runBar->pauseAction());
    run->addAction(m_runBar->stepAction());
    run->addAction(m_runBar->stopAction());
    run->addSeparator();
    run->addAction(m_runBar->inputAction());

    QMenu* thread = menuBar()->addMenu(tr("&Thread"));
    m_past->addTo(*thread);
    thread->addSeparator();
    thread->addAction(tr("&Previous checkpoint"), QKeySequence(QStringLiteral("Alt+,")), this,
                      [this] { m_timeline->step(-1); });
    thread->addAction(tr("&Next checkpoint"), QKeySequence(QStringLiteral("Alt+.")), this,
                      [this] { m_timeline->step(1); });
    thread->addAction(tr("Return to &head"), QKeySequence(QStringLiteral("Alt+End")), this,
                      [this] { m_selection->returnToHead(); });
    createPastMenu(*thread);
    m_threadFiles->addTo(*thread);

    menuBar()->addMenu(tr("Too&ls"))->setObjectName(QStringLiteral("toolsMenu"));
    QMenu* window = menuBar()->addMenu(tr("&Window"));
    createLayouts(*window);
    window->addSeparator();
    window->addActions(m_docks->toggleActions());
    window->addSeparator();
    createAreas(*window);

    QMenu* help = menuBar()->addMenu(tr("&Help"));
    help->addAction(tr("&Guide"), QKeySequence(Qt::Key_F1), this, &MainWindow::showGuide);
    help->addAction(icon(QLatin1String("search")), tr("Find a &command…"),
                    QKeySequence(QStringLiteral("Ctrl+Shift+P")), this, [this] { m_quick->showCommands(); });
    help->addAction(tr("Keyboard &shortcuts…"), QKeySequence(QStringLiteral("Ctrl+?")), this,
                    [this] { m_quick->showCommands(); });
    help->addAction(tr("Prepare the sandbox &runtime"), m_runtime, &RuntimePart::prepare);
    help->addAction(tr("&About Sandglass"), this, [this] {
        QMessageBox::about(this, tr("About Sandglass"),
                           tr("<b>Sandglass</b><p>A workbench for agent workflows whose code runs in sandbox "
                              "sessions.<p>GPL-3.0-or-later."));
    });
}

void MainWindow::createViewMenu(QMenu& view)
{
    QMenu* theme = view.addMenu(tr("&Theme"));
    auto* themes = new QActionGroup(this);
    const QString chosen =
        QSettings().value(QStringLiteral("window/theme"), QStringLiteral("system")).toString();
    const std::pair<QString, QString> names[] = { { QStringLiteral("system"), tr("As the &desktop") },
                                                  { QStringLiteral("light"), tr("&Light") },
                                                  { QStringLiteral("dark"), tr("D&ark") } };
    for (const auto& [name, title] : names) {
        QAction* action = theme->addAction(title, this, [this, name = name] { setTheme(name); });
        action->setCheckable(true);
        action->setChecked(name == chosen);
        themes->addAction(action);
    }
    view.addSeparator();
    GraphView* canvas = &m_graph->view();
    view.addAction(tr("Zoom &in (+)"), canvas, &GraphView::zoomIn);
    view.addAction(tr("Zoom &out (−)"), canvas, &GraphView::zoomOut);
    view.addAction(tr("&100 % (0)"), canvas, [canvas] { canvas->setZoom(1); });
    view.addAction(tr("&Fit the graph (1)"), canvas, &GraphView::fitAll);
    view.addAction(tr("Fit the &selection (2)"), canvas, &GraphView::fitSelection);
}

void MainWindow::setTheme(const QString& name)
{
    QSettings().setValue(QStringLiteral("window/theme"), name);
    applyTheme(*qApp, themeFromName(name));
}

Theme MainWindow::themeFromName(const QString& name)
{
    if (name == QLatin1String("light"))
        return Theme::Light;
    return name == QLatin1String("dark") ? Theme::Dark : Theme::System;
}

void MainWindow::showEvent(QShowEvent* event)
{
    QMainWindow::showEvent(event);
    if (std::exchange(m_wasShown, true))
        return;
    m_docks->restore(QSettings().value(QStringLiteral("window/docks")).toByteArray());
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    const auto again = [this] { close(); };
    if (!m_macros->mayLeave(again) || m_saving->holdsBack(tr("Close without it"), again)) {
        event->ignore();
        return;
    }
    m_last->keepCursor();
    LastProject::forgetOpening();
    m_clients->upkeep.removeThreads(m_book->deleted());
    QSettings settings;
    settings.setValue(QStringLiteral("window/geometry"), saveGeometry());
    settings.setValue(QStringLiteral("window/docks"), m_docks->save());
    event->accept();
}

} // namespace sg::ui
