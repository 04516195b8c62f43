#include "ui/shell/window_menus.h"

#include "ui/artifacts/artifacts_panel.h"
#include "ui/bridge/clients.h"
#include "ui/code/code_editor.h"
#include "ui/commands/command_list.h"
#include "ui/commands/quick_button.h"
#include "ui/commands/quick_popup.h"
#include "ui/graph/canvas/canvas_editor.h"
#include "ui/graph/canvas/graph_view.h"
#include "ui/logs/log_panel.h"
#include "ui/run/inbox_panel.h"
#include "ui/run/run_bar.h"
#include "ui/run/thread_list.h"
#include "ui/selection/selection.h"
#include "ui/sessions/session_panel.h"
#include "ui/shell/canvas_panel.h"
#include "ui/shell/dock_layout.h"
#include "ui/shell/dock_moves.h"
#include "ui/shell/document_table.h"
#include "ui/shell/main_window.h"
#include "ui/shell/panel_table.h"
#include "ui/shell/parts/bookmarks.h"
#include "ui/shell/parts/chat_part.h"
#include "ui/shell/parts/comparison_part.h"
#include "ui/shell/parts/inbox_part.h"
#include "ui/shell/parts/past_verbs.h"
#include "ui/shell/parts/thread_files.h"
#include "ui/shell/parts/watches.h"
#include "ui/shell/project/documents_part.h"
#include "ui/shell/project/graph_files.h"
#include "ui/shell/project/graph_versions.h"
#include "ui/shell/project/last_project.h"
#include "ui/shell/project/places.h"
#include "ui/shell/project/project_pages.h"
#include "ui/shell/project/project_state.h"
#include "ui/shell/project/runtime_part.h"
#include "ui/shell/project/saving.h"
#include "ui/shell/subjects.h"
#include "ui/state/state_panel.h"
#include "ui/terminal/terminal_panel.h"
#include "ui/timeline/timeline_panel.h"
#include "ui/usage/usage_panel.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/segmented_control.h"
#include "ui/world/files_panel.h"

#include <QActionGroup>
#include <QCoreApplication>
#include <QInputDialog>
#include <QMenuBar>
#include <QMessageBox>
#include <QSettings>
#include <QToolBar>

#include <array>

namespace sg::ui {
namespace {

constexpr std::array kLayouts{ DockLayout::Layout::Build, DockLayout::Layout::Debug,
                               DockLayout::Layout::Session, DockLayout::Layout::Review };

QString layoutTitle(DockLayout::Layout layout)
{
    switch (layout) {
    case DockLayout::Layout::Build: return WindowMenus::tr("&Build");
    case DockLayout::Layout::Debug: return WindowMenus::tr("&Debug");
    case DockLayout::Layout::Session: return WindowMenus::tr("&Session");
    case DockLayout::Layout::Review: break;
    }
    return WindowMenus::tr("Re&view");
}

QString textOf(const DocumentVerb& verb)
{
    return QCoreApplication::translate("sg::ui::DockLayout", verb.text);
}

} // namespace

WindowMenus::WindowMenus(const WindowParts& parts, const Subjects& subjects, QToolBar& bar)
    : QObject(parts.window)
    , m_parts(parts)
    , m_subjects(subjects)
{
    QMenuBar& menus = *parts.window->menuBar();
    createFile(*menus.addMenu(tr("&File")));
    createEdit(*menus.addMenu(tr("&Edit")));
    createView(*menus.addMenu(tr("&View")));
    createGraph(*menus.addMenu(tr("&Graph")));
    createRun(*menus.addMenu(tr("&Run")));
    createThread(*menus.addMenu(tr("&Thread")));
    createSession(*menus.addMenu(tr("&Session")));
    m_tools = menus.addMenu(tr("Too&ls"));
    m_tools->setObjectName(QStringLiteral("toolsMenu"));
    QMenu* window = menus.addMenu(tr("&Window"));
    createLayouts(*window, bar);
    createOwnLayouts(*window);
    window->addSeparator();
    window->addMenu(tr("&Panels"))->addActions(m_parts.docks->toggleActions());
    window->addMenu(tr("&Move the panel"))->addActions(m_parts.docks->moves().actions());
    createDocuments(*window->addMenu(tr("D&ocuments")));
    window->addSeparator();
    createAreas(*window);
    createHelp(*menus.addMenu(tr("&Help")));
}

void WindowMenus::createFile(QMenu& file)
{
    m_subjects.projects->addTo(file);
    file.addSeparator();
    file.addAction(m_subjects.saving->saveAction());
    file.addSeparator();
    m_subjects.graphFiles->addTo(file);
    file.addSeparator();
    m_subjects.last->addTo(file);
    file.addSeparator();
    file.addAction(tr("&Quit"), QKeySequence::Quit, m_parts.window, &QWidget::close);
}

void WindowMenus::createEdit(QMenu& edit)
{
    const CanvasActions& actions = m_parts.canvas->view().editor()->actions();
    edit.addActions({ actions.undo, actions.redo });
    edit.addSeparator();
    edit.addActions(
        { actions.cut, actions.copy, actions.paste, actions.duplicate, actions.remove, actions.selectAll });
    edit.addAction(actions.copyPicture);
    edit.addSeparator();
    edit.addAction(actions.find);
    edit.addActions(m_parts.canvas->code().actions());
}

void WindowMenus::createView(QMenu& view)
{
    QMenu* theme = view.addMenu(tr("&Theme"));
    auto* themes = new QActionGroup(this);
    const QString chosen =
        QSettings().value(QStringLiteral("window/theme"), QStringLiteral("system")).toString();
    const std::pair<QString, QString> names[] = { { QStringLiteral("system"), tr("As the &desktop") },
                                                  { QStringLiteral("light"), tr("&Light") },
                                                  { QStringLiteral("dark"), tr("D&ark") } };
    for (const auto& [name, title] : names) {
        QAction* action = theme->addAction(title, this, [name = name] { MainWindow::setTheme(name); });
        action->setCheckable(true);
        action->setChecked(name == chosen);
        themes->addAction(action);
    }
    view.addSeparator();
    GraphView* canvas = &m_parts.canvas->view();
    view.addAction(tr("Zoom &in (+)"), canvas, &GraphView::zoomIn);
    view.addAction(tr("Zoom &out (−)"), canvas, &GraphView::zoomOut);
    view.addAction(tr("&100 % (0)"), canvas, [canvas] { canvas->setZoom(1); });
    view.addAction(tr("&Fit the graph (1)"), canvas, &GraphView::fitAll);
    view.addAction(tr("Fit the &selection (2)"), canvas, &GraphView::fitSelection);
}

void WindowMenus::createGraph(QMenu& menu)
{
    const CanvasActions& actions = m_parts.canvas->view().editor()->actions();
    menu.addActions({ actions.add, actions.connect, actions.branch, actions.rename, actions.nextEdge });
    menu.addSeparator();
    menu.addActions({ actions.breakBefore, actions.breakAfter });
    menu.addSeparator();
    menu.addActions(
        { actions.inside, actions.showInside, actions.outside, actions.extract, actions.dissolve });
    menu.addSeparator();
    menu.addActions({ actions.note, actions.frame, actions.nextNote });
    menu.addSeparator();
    menu.addActions({ actions.arrange, actions.pin });
    QMenu* align = menu.addMenu(tr("Ali&gn"));
    for (QAction* action : actions.align)
        align->addAction(action);
    menu.addSeparator();
    m_subjects.versions->addTo(menu);
    menu.addAction(m_subjects.documents->runAction());
    menu.addSeparator();
    menu.addAction(tr("&Next problem"), QKeySequence(QStringLiteral("F8")), this,
                   [this] { m_subjects.project->walk(1); });
    menu.addAction(tr("&Previous problem"), QKeySequence(QStringLiteral("Shift+F8")), this,
                   [this] { m_subjects.project->walk(-1); });
    menu.addActions(m_subjects.project->actions());
}

void WindowMenus::createRun(QMenu& run)
{
    const RunBar& bar = *m_parts.runBar;
    run.addActions(
        { bar.runAction(), bar.resumeAction(), bar.pauseAction(), bar.stepAction(), bar.stopAction() });
    run.addSeparator();
    run.addAction(bar.inputAction());
}

void WindowMenus::createThread(QMenu& thread)
{
    m_subjects.past->addTo(thread);
    thread.addSeparator();
    thread.addAction(tr("&Previous checkpoint"), QKeySequence(QStringLiteral("Alt+,")), this,
                     [this] { m_parts.timeline->step(-1); });
    thread.addAction(tr("&Next checkpoint"), QKeySequence(QStringLiteral("Alt+.")), this,
                     [this] { m_parts.timeline->step(1); });
    thread.addAction(tr("Return to &head"), QKeySequence(QStringLiteral("Alt+End")), this,
                     [this] { m_parts.selection->returnToHead(); });
    thread.addAction(m_subjects.chat->openAction());
    createPast(thread);
    m_subjects.threadFiles->addTo(thread);
}

void WindowMenus::createSession(QMenu& session)
{
    auto& panel = m_parts.panels->of<SessionPanel>();
    panel.addTo(session);
    connect(&panel, &SessionPanel::viewRequested, this, [this, &panel] { m_parts.docks->raise(&panel); });
    session.addSeparator();
    session.addAction(icon(QLatin1String("terminal")), tr("Open a &terminal"), this, [this] {
        auto& terminal = m_parts.panels->of<TerminalPanel>();
        m_parts.docks->raise(&terminal);
        terminal.open();
        terminal.setFocus(Qt::OtherFocusReason);
    });
    session.addMenu(tr("&Files"))->addActions(m_parts.panels->of<FilesPanel>().actions());
    session.addSeparator();
    addDocuments(session, DocumentVerb::Menu::Session);
    session.addAction(tr("Change mo&de…"), m_parts.runBar, &RunBar::modeRequested);
    session.setToolTipsVisible(true); // why some cannot be used
}

void WindowMenus::createPast(QMenu& thread)
{
    const TimelinePanel& timeline = *m_parts.timeline;
    const auto& state = m_parts.panels->of<StatePanel>();
    thread.addAction(timeline.playAction());
    thread.addAction(tr("&First checkpoint"), QKeySequence(QStringLiteral("Alt+Home")), this,
                     [this] { m_parts.timeline->goToFirst(); });
    QMenu* axis = thread.addMenu(tr("&Measure the timeline by"));
    axis->addActions(timeline.axisActions());
    axis->addSeparator();
    axis->addActions(timeline.zoomActions());
    thread.addAction(timeline.nestedAction());
    QMenu* watches = thread.addMenu(tr("Watched e&xpressions"));
    connect(watches, &QMenu::aboutToShow, this, [this, watches] { m_subjects.watches->fill(*watches); });
    m_subjects.watches->fill(*watches);
    thread.addSeparator();
    thread.addAction(state.pinAction());
    thread.addAction(m_subjects.comparison->compareAction());
    thread.addAction(m_subjects.bookmarks->editAction());
    QMenu* bookmarks = thread.addMenu(tr("B&ookmarks"));
    connect(bookmarks, &QMenu::aboutToShow, this,
            [this, bookmarks] { m_subjects.bookmarks->fill(*bookmarks); });
    thread.addMenu(tr("&Artifacts"))->addActions(m_parts.panels->of<ArtifactsPanel>().actions());
    thread.addMenu(tr("&Log"))->addActions(m_parts.panels->of<LogPanel>().actions());
    thread.addMenu(tr("&Values"))->addActions(state.compareActions());
    thread.addMenu(tr("Order of the &threads"))->addActions(m_parts.panels->of<ThreadList>().orderActions());
    thread.addSeparator();
    thread.addAction(m_subjects.past->failureAction());
    thread.addAction(m_subjects.inbox->nextAction());
    thread.addActions(m_parts.panels->of<InboxPanel>().actions());
    addDocuments(thread, DocumentVerb::Menu::Thread);
    thread.addAction(icon(QLatin1String("llm")), tr("&Tokens, cost and time of models"), m_parts.docks,
                     [this] { m_parts.docks->raise(&m_parts.panels->of<UsagePanel>()); });
    thread.addAction(state.rawAction());
    thread.setToolTipsVisible(true); // why some cannot be used
}

void WindowMenus::createLayouts(QMenu& menu, QToolBar& bar)
{
    DockLayout* docks = m_parts.docks;
    auto* segments = new SegmentedControl(tr("Layout"), SegmentedControl::Mode::Single, &bar);
    auto* group = new QActionGroup(this);
    for (std::size_t i = 0; i < kLayouts.size(); ++i) {
        const DockLayout::Layout layout = kLayouts[i];
        QString plain = layoutTitle(layout);
        plain.remove(QLatin1Char('&'));
        segments->addSegment(plain);
        QAction* action =
            menu.addAction(layoutTitle(layout), docks, [docks, layout] { docks->show(layout); });
        action->setObjectName(QStringLiteral("layout.") + plain.toLower());
        action->setShortcut(QKeySequence(QStringLiteral("Ctrl+Alt+%1").arg(i + 1)));
        action->setCheckable(true);
        group->addAction(action);
    }
    const auto showLayout = [docks, group, segments] {
        const auto layout = docks->layout();
        const int at = layout ? static_cast<int>(*layout) : -1;
        segments->setCurrentIndex(at);
        group->setExclusive(at >= 0); // none of them: it is one of the user's own
        for (int i = 0; i < group->actions().size(); ++i)
            group->actions().at(i)->setChecked(i == at);
    };
    connect(docks, &DockLayout::layoutChanged, this, showLayout);
    connect(segments, &SegmentedControl::activated, docks,
            [docks](int index) { docks->show(kLayouts[static_cast<std::size_t>(index)]); });
    showLayout();
    bar.addWidget(segments);
    const QKeySequence keys(QStringLiteral("Ctrl+K"));
    auto* search =
        new QuickButton(tr("Go to node, thread, file…"), keys.toString(QKeySequence::NativeText), &bar);
    connect(search, &QAbstractButton::clicked, this, [this] { m_quick->showPlaces(); });
    bar.addWidget(search);
}

void WindowMenus::createDocuments(QMenu& menu)
{
    DocumentArea* documents = m_parts.documents;
    for (const DocumentRow& row : documentTable()) {
        if (row.title[0] == 0)
            continue;
        const QString kind = QString::fromLatin1(row.name);
        QAction* action =
            menu.addAction(icon(QLatin1String(row.icon)), titleOf(row), documents, [documents, kind] {
                documents->open({ kind, {} });
            });
        action->setObjectName(QStringLiteral("window.") + kind);
        if (textOf(row.verb).remove(QLatin1Char('&')) == titleOf(row)) // another menu has it, too
            CommandList::listElsewhere(*action);
    }
    menu.addSeparator();
    menu.addActions(documents->actions());
}

// Adds the documents that have an entry in that menu, too.
void WindowMenus::addDocuments(QMenu& menu, DocumentVerb::Menu place)
{
    DocumentArea* documents = m_parts.documents;
    for (const DocumentRow& row : documentTable()) {
        if (row.verb.menu != place)
            continue;
        auto* action = new QAction(icon(QLatin1String(row.icon)), textOf(row.verb), &menu);
        action->setObjectName(QLatin1String(row.verb.id));
        action->setShortcut(QKeySequence(QLatin1String(row.verb.keys)));
        connect(action, &QAction::triggered, documents, [documents, name = row.name] {
            if (QWidget* document = documents->open({ QLatin1String(name), {} }))
                document->setFocus(Qt::ShortcutFocusReason);
        });
        menu.addAction(action);
    }
}

void WindowMenus::createAreas(QMenu& menu)
{
    struct Area {
        QString title;
        Qt::DockWidgetArea area;
    };
    const Area areas[] = { { tr("&Left panels"), Qt::LeftDockWidgetArea },
                           { tr("&Right panels"), Qt::RightDockWidgetArea },
                           { tr("&Bottom panels"), Qt::BottomDockWidgetArea } };
    int number = 0;
    DockLayout* docks = m_parts.docks;
    for (const Area& area : areas)
        menu.addAction(area.title, QKeySequence(QStringLiteral("Ctrl+%1").arg(++number)), docks,
                       [docks, area = area.area] { docks->toggleArea(area); });
    QAction* fold = m_parts.timeline->foldAction();
    fold->setShortcut(QKeySequence(QStringLiteral("Ctrl+4")));
    menu.addAction(fold);
    menu.addAction(tr("&Next panel"), QKeySequence(QStringLiteral("F6")), this,
                   [this] { m_subjects.places->cycleFocus(1); });
    menu.addAction(tr("&Previous panel"), QKeySequence(QStringLiteral("Shift+F6")), this,
                   [this] { m_subjects.places->cycleFocus(-1); });
    menu.addAction(icon(QLatin1String("search")), tr("&Go to…"), QKeySequence(QStringLiteral("Ctrl+K")), this,
                   [this] { m_quick->showPlaces(); });
}

void WindowMenus::createOwnLayouts(QMenu& menu)
{
    menu.addAction(tr("Save la&yout as…"), this, &WindowMenus::askLayoutName)
        ->setObjectName(QStringLiteral("layout.save-as"));
    QMenu* own = menu.addMenu(tr("Layouts of your o&wn"));
    const auto fill = [this, own] { fillOwnLayouts(*own); };
    connect(own, &QMenu::aboutToShow, this, fill);
    connect(m_parts.docks, &DockLayout::layoutChanged, own, fill);
    fill();
    menu.addAction(tr("Rese&t layout"), m_parts.docks, &DockLayout::reset);
}

void WindowMenus::fillOwnLayouts(QMenu& menu)
{
    DockLayout* docks = m_parts.docks;
    menu.clear();
    const QStringList names = docks->ownLayouts();
    const auto plain = [](QString name) { return name.replace(QLatin1Char('&'), QLatin1String("&&")); };
    for (const QString& name : names) {
        QAction* action = menu.addAction(plain(name), docks, [docks, name] { docks->showOwn(name); });
        action->setCheckable(true);
        action->setChecked(docks->ownLayout() == name);
    }
    if (names.isEmpty()) {
        menu.addAction(tr("None is saved yet"))->setEnabled(false);
        return;
    }
    menu.addSeparator();
    for (const QString& name : names)
        menu.addAction(tr("Remove %1").arg(plain(name)), docks, [docks, name] { docks->removeOwn(name); });
}

void WindowMenus::askLayoutName()
{
    auto* ask = new QInputDialog(m_parts.window);
    ask->setAttribute(Qt::WA_DeleteOnClose);
    ask->setWindowTitle(tr("Save layout"));
    ask->setLabelText(tr("Name of the layout. A layout that has this name already is replaced."));
    ask->setTextValue(m_parts.docks->ownLayout());
    DockLayout* docks = m_parts.docks;
    connect(ask, &QInputDialog::textValueSelected, docks, [docks](const QString& text) {
        const QString name = text.simplified();
        if (!name.isEmpty())
            docks->saveAs(name);
    });
    ask->open();
}

void WindowMenus::createHelp(QMenu& help)
{
    help.addAction(tr("&Guide"), QKeySequence(Qt::Key_F1), this, [this] { m_subjects.places->showGuide(); });
    help.addAction(icon(QLatin1String("search")), tr("Find a &command…"),
                   QKeySequence(QStringLiteral("Ctrl+Shift+P")), this, [this] { m_quick->showCommands(); });
    help.addAction(tr("Keyboard &shortcuts…"), QKeySequence(QStringLiteral("Ctrl+?")), this,
                   [this] { m_quick->showCommands(); });
    help.addAction(tr("Prepare the sandbox &runtime"), m_subjects.runtime, &RuntimePart::prepare);
    QMainWindow* window = m_parts.window;
    help.addAction(tr("&About Sandglass"), this, [window] {
        QMessageBox::about(window, tr("About Sandglass"),
                           tr("<b>Sandglass</b><p>A workbench for agent workflows whose code runs in sandbox "
                              "sessions.<p>GPL-3.0-or-later."));
    });
}

} // namespace sg::ui
