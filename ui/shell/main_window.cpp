#include "ui/shell/main_window.h"

#include "ui/commands/command_list.h"
#include "ui/commands/quick_popup.h"
#include "ui/documents/document_area.h"
#include "ui/graph/canvas/canvas_editor.h"
#include "ui/graph/canvas/graph_view.h"
#include "ui/graph/panels/inspector.h"
#include "ui/run/interrupt_card.h"
#include "ui/run/run_bar.h"
#include "ui/selection/client_feed.h"
#include "ui/selection/panel_parts.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"
#include "ui/selection/thread_book.h"
#include "ui/shell/canvas_panel.h"
#include "ui/shell/dock_layout.h"
#include "ui/shell/document_table.h"
#include "ui/shell/macros.h"
#include "ui/shell/parts/past_verbs.h"
#include "ui/shell/project/documents_part.h"
#include "ui/shell/project/graph_files.h"
#include "ui/shell/project/last_project.h"
#include "ui/shell/project/places.h"
#include "ui/shell/project/project_pages.h"
#include "ui/shell/project/saving.h"
#include "ui/shell/project/start_part.h"
#include "ui/shell/status_line.h"
#include "ui/shell/window_menus.h"
#include "ui/start/start_page.h"
#include "ui/timeline/timeline_panel.h"
#include "ui/widgets/banner_stack.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/sight.h"

#include <QAction>
#include <QApplication>
#include <QCloseEvent>
#include <QMenu>
#include <QMenuBar>
#include <QMimeData>
#include <QPointer>
#include <QScreen>
#include <QSettings>
#include <QStackedWidget>
#include <QStatusBar>
#include <QToolBar>
#include <QVBoxLayout>

#include <utility>

namespace sg::ui {
namespace {

constexpr int kToldMs = 8000;

} // namespace

MainWindow::MainWindow(QWidget* parent)
    : QMainWindow(parent)
    , m_clients(std::make_unique<Clients>())
    , m_card(nullptr)
{
    setWindowTitle(tr("Sandglass"));
    setObjectName(QStringLiteral("mainWindow"));
    setAcceptDrops(true);
    const QSize room = screen()->availableSize();
    resize(qMin(1600, room.width()), qMin(1000, room.height() - 40)); // the frame comes on top
    setDockOptions(AllowTabbedDocks | AllowNestedDocks);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    m_parts.window = this;
    m_parts.clients = m_clients.get();
    m_parts.selection = new Selection(this);
    m_parts.book = new ThreadBook(this);
    m_parts.history = new ShownHistory(*m_parts.selection, this);
    m_parts.feed = new ClientFeed(*m_clients, { *m_parts.selection, *m_parts.book, *m_parts.history }, this);
    m_parts.runBar = new RunBar(this);
    createCentre();
    m_parts.status = new StatusLine(statusBar());
    createPanels();
    m_subjects.emplace(m_parts, *m_card);
    connect(m_subjects->projects, &ProjectPages::ready, this, &MainWindow::ready);
    connect(m_subjects->projects, &ProjectPages::notOpened, this, &MainWindow::notOpened);
    createCommands();
    restoreGeometry(QSettings().value(QStringLiteral("window/geometry")).toByteArray());
}

MainWindow::~MainWindow()
{
    m_subjects->saving->end(); // the focus goes on moving while the parts go
}

void MainWindow::createCentre()
{
    auto* centre = new QWidget(this);
    auto* column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* pages = new QStackedWidget(this);
    m_parts.pages = pages;
    m_parts.start = new StartPage(pages);
    m_parts.canvas = new CanvasPanel(*m_parts.selection, *m_parts.history, pages);
    m_parts.inspector = m_parts.canvas->inspector();
    m_card = new InterruptCard(this);
    pages->addWidget(m_parts.start);
    m_parts.documents = new DocumentArea(documentKinds(m_parts), pages);
    pages->addWidget(m_parts.documents);
    column->addWidget(pages, 1);
    setCentralWidget(centre);
    m_parts.banners = new BannerStack(centre);
    const auto lieOver = [this, pages] {
        QWidget* shown = pages->currentWidget();
        if (shown == m_parts.documents) {
            const bool isCanvas = m_parts.documents->isSeen(m_parts.canvas);
            shown = isCanvas ? &m_parts.canvas->view() : m_parts.documents->currentWidget()->parentWidget();
        }
        m_parts.banners->lieOver(shown);
    };
    connect(pages, &QStackedWidget::currentChanged, m_parts.banners, lieOver);
    connect(m_parts.documents, &DocumentArea::currentChanged, m_parts.banners, lieOver);
    lieOver();
    m_parts.banners->lieBelow(m_parts.canvas->strip());
    // The graph is fitted below the messages. Other documents cannot be scrolled free of them, so they make
    // room.
    connect(m_parts.banners, &BannerStack::covers, m_parts.canvas,
            [this, roomy = QPointer<QWidget>()](QWidget* view, int pixels) mutable {
                const bool isCanvas = view == &m_parts.canvas->view();
                m_parts.canvas->setCovered(isCanvas ? pixels : 0);
                QWidget* wanted = isCanvas || view == m_parts.start ? nullptr : view;
                if (roomy && roomy != wanted)
                    roomy->setContentsMargins({});
                roomy = wanted;
                if (roomy && roomy->contentsMargins().top() != pixels)
                    roomy->setContentsMargins(0, pixels, 0, 0);
            });
}

void MainWindow::createPanels()
{
    auto* bar = addToolBar(tr("Run"));
    bar->setObjectName(QStringLiteral("toolBar"));
    bar->setMovable(false);
    bar->setContentsMargins(2, 0, 2, 0);
    bar->toggleViewAction()->setEnabled(false);
    bar->addWidget(m_parts.runBar);
    m_panels.emplace(panelParts(m_parts), *m_parts.canvas, this);
    m_parts.panels = &*m_panels;
    m_parts.timeline = &m_panels->of<TimelinePanel>();
    m_parts.docks = new DockLayout(*this, panelTable(), m_panels->panels());
    DockLayout* const docks = m_parts.docks;
    TimelinePanel* const timeline = m_parts.timeline;
    connect(timeline, &TimelinePanel::wantedHeightChanged, docks,
            [docks, timeline] { docks->fitTimeline(timeline->wantedHeight()); });
    connect(timeline->foldAction(), &QAction::toggled, docks, &DockLayout::setTimelineFolded);
    connect(docks, &DockLayout::foldWanted, timeline->foldAction(), &QAction::setChecked);
    docks->fitTimeline(timeline->wantedHeight());
}

void MainWindow::createCommands()
{
    auto* menus = new WindowMenus(m_parts, *m_subjects, *findChild<QToolBar*>(QStringLiteral("toolBar")));
    auto* commands = new CommandList(*menuBar(), this);
    m_macros = new Macros({ *commands, *m_parts.selection, *m_parts.runBar, *m_parts.book, *m_parts.history,
                            *m_parts.canvas, *m_clients },
                          *this, *statusBar());
    connect(m_subjects->saving, &Saving::refused, m_macros, &Macros::noteRefused);
    m_macros->fill(*menus->tools());
    connect(m_macros, &Macros::told, this,
            [this](const QString& text) { statusBar()->showMessage(text, kToldMs); });
    const auto tell = [this](const UserError& error) {
        tellError(m_parts, error.node.isEmpty() ? BannerStack::Owner::Action : BannerStack::Owner::Run,
                  error);
    };
    connect(m_macros, &Macros::failed, this, tell);
    connect(&m_clients->project, &OpenProject::queryFailed, this, tell);
    connect(&m_clients->project, &OpenProject::opened, m_macros, [this](const ProjectInfo& info) {
        m_macros->setProject(info.isReadOnly ? QString() : info.folder);
    });
    commands->adopt();
    auto* quick = new QuickPopup(
        *commands, [this] { return m_subjects->places->all(); }, *this);
    connect(quick, &QuickPopup::placeChosen, m_subjects->places, &Places::goTo);
    menus->setQuick(quick);
    const CanvasActions& actions = m_parts.canvas->view().editor()->actions();
    m_parts.runBar->setEditActions(actions.undo, actions.redo);
}

void MainWindow::openProject(const QString& path, const QString& database)
{
    m_subjects->projects->openWith(path, database);
}

void MainWindow::openSample(const QString& example)
{
    m_subjects->projects->openSample(example.isEmpty() ? kSampleName : example);
}

void MainWindow::reopenLast()
{
    m_subjects->last->reopen();
}

bool MainWindow::showPanel(const QString& title)
{
    return m_subjects->places->showPanel(title);
}

QString MainWindow::exportGraph(const QString& file)
{
    return m_subjects->graphFiles->exportGraph(file);
}

QString MainWindow::whyNotExport() const
{
    return m_subjects->graphFiles->whyNotExport();
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
    m_parts.docks->restore(QSettings().value(QStringLiteral("window/docks")).toByteArray());
}

// Qt takes a panel behind another's tab for visible, so that the keys would go where nobody sees it, and
// stays where it is if the next stop refuses the focus.
bool MainWindow::focusNextPrevChild(bool next)
{
    const auto isSeen = [](const QWidget* widget) {
        for (; widget != nullptr; widget = widget->parentWidget())
            if (const auto* dock = qobject_cast<const QDockWidget*>(widget))
                return isInFront(*dock);
        return true;
    };
    QWidget* const from = focusWidget() != nullptr ? focusWidget() : this;
    const auto beside = [next](const QWidget* widget) {
        return next ? widget->nextInFocusChain() : widget->previousInFocusChain();
    };
    for (QWidget* each = beside(from); each != from; each = beside(each)) {
        if ((each->focusPolicy() & Qt::TabFocus) == 0 || !each->isVisible() || !each->isEnabled()
            || each->window() != this || !isSeen(each))
            continue;
        each->setFocus(next ? Qt::TabFocusReason : Qt::BacktabFocusReason);
        if (focusWidget() != from)
            return true;
    }
    return false;
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    const auto again = [this] { close(); };
    if (!m_macros->mayLeave(again) || m_subjects->saving->holdsBack(tr("Close without it"), again)) {
        event->ignore();
        return;
    }
    m_subjects->last->keepCursor();
    m_subjects->documents->keep();
    LastProject::forgetOpening();
    m_clients->upkeep.removeThreads(m_parts.book->deleted());
    QSettings settings;
    settings.setValue(QStringLiteral("window/geometry"), saveGeometry());
    settings.setValue(QStringLiteral("window/docks"), m_parts.docks->save());
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (ProjectPages::takes(*event->mimeData()))
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    event->acceptProposedAction();
    m_subjects->projects->drop(*event->mimeData());
}

} // namespace sg::ui
