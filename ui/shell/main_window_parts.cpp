#include "ui/graph/panels/inspector.h"
#include "ui/run/run_bar.h"
#include "ui/run/thread_list.h"
#include "ui/selection/selection.h"
#include "ui/selection/thread_book.h"
#include "ui/shell/canvas_panel.h"
#include "ui/shell/main_window.h"
#include "ui/shell/parts/bookmarks.h"
#include "ui/shell/parts/comparison_part.h"
#include "ui/shell/parts/graph_files.h"
#include "ui/shell/parts/graph_versions.h"
#include "ui/shell/parts/inbox_part.h"
#include "ui/shell/parts/input_part.h"
#include "ui/shell/parts/last_project.h"
#include "ui/shell/parts/overview_part.h"
#include "ui/shell/parts/past_verbs.h"
#include "ui/shell/parts/raw_part.h"
#include "ui/shell/parts/run_banners.h"
#include "ui/shell/parts/runtime_part.h"
#include "ui/shell/parts/saving.h"
#include "ui/shell/parts/search_part.h"
#include "ui/shell/parts/session_tracks.h"
#include "ui/shell/parts/start_part.h"
#include "ui/shell/parts/usage_part.h"
#include "ui/shell/parts/values_part.h"
#include "ui/shell/parts/watches.h"
#include "ui/shell/parts/world_part.h"
#include "ui/start/start_page.h"
#include "ui/state/state_panel.h"
#include "ui/timeline/timeline_panel.h"

#include <QAction>
#include <QMenu>

// The subjects of the window, and the menu of their verbs.
namespace sg::ui {

WindowParts MainWindow::parts()
{
    return { .window = this,
             .clients = m_clients.get(),
             .selection = m_selection,
             .docks = m_docks,
             .banners = m_banners,
             .book = m_book,
             .history = m_history,
             .feed = m_feed,
             .timeline = m_timeline,
             .inspector = m_graph->inspector() };
}

// Those that act on what the timeline shows come behind the window itself: connectPanels().
void MainWindow::createParts()
{
    const WindowParts all = parts();
    m_past = new PastVerbs(all, *m_replay, *m_graph, *m_state, *m_log, *m_session);
    m_bookmarks = new Bookmarks(all, *m_inbox);
    m_valuesPart = new ValuesPart(all, *m_state);
    m_runBanners = new RunBanners(all, *m_runBar, *m_graph, *m_session);
    connect(m_runBanners, &RunBanners::replayWanted, m_past, &PastVerbs::replayFrom);
    m_inboxPart = new InboxPart(all, *m_inbox, *m_status);
    new OverviewPart(all, *m_overview);
    m_searchPart = new SearchPart(all, *m_search);
    m_usagePart = new UsagePart(all, *m_usage, *m_state);
    m_rawPart = new RawPart(all, *m_state);
    m_watches = new Watches(all);
    m_tracks = new SessionTracks(all);
    m_world = new WorldPart(all, *m_variables, *m_files, *m_state, m_graph->code());
    m_saving = new Saving(all, *m_graph, *m_files, *m_replay, *m_world);
    m_graphFiles = new GraphFiles(all, *m_graph, *m_saving);
    m_comparisonPart = new ComparisonPart(all, *m_comparison);
    m_versions = new GraphVersions(all, *m_graph);
    m_past->setBeside(m_bookmarks->editAction(), m_valuesPart->compareAction());
    m_last = new LastProject(all, *m_pages, *m_start);
    new InputPart(all, *m_graph, *m_runBar);
    m_startPart = new StartPart(all, *m_pages, *m_start);
    m_runtime = new RuntimePart(all, *m_start);
    connect(m_startPart, &StartPart::openWanted, this, &MainWindow::openProject);
    connect(m_startPart, &StartPart::exampleWanted, this, &MainWindow::openSample);
    connect(m_versions, &GraphVersions::restored, this, &MainWindow::openProject);
    connect(m_graphFiles, &GraphFiles::imported, this, &MainWindow::openProject);
    connect(m_past, &PastVerbs::openWanted, this, &MainWindow::openProject);
    connect(m_last, &LastProject::openWanted, this, &MainWindow::openProject);
    connect(m_last, &LastProject::ready, this, &MainWindow::ready);
    connect(m_selection, &Selection::baseChanged, this, &MainWindow::showBase);
    connect(m_book, &ThreadBook::deletedChanged, this, [this] { m_runBar->setThreads(m_book->threads()); });
}

void MainWindow::showBase()
{
    m_clients->history.loadState(m_selection->thread(), m_selection->checkpoint(), m_selection->base());
}

void MainWindow::createPastMenu(QMenu& thread)
{
    thread.addAction(m_timeline->playAction());
    thread.addAction(tr("&First checkpoint"), QKeySequence(QStringLiteral("Alt+Home")), this,
                     [this] { m_timeline->goToFirst(); });
    QMenu* axis = thread.addMenu(tr("&Measure the timeline by"));
    axis->addActions(m_timeline->axisActions());
    axis->addSeparator();
    axis->addActions(m_timeline->zoomActions());
    thread.addAction(m_timeline->nestedAction());
    QMenu* watches = thread.addMenu(tr("Watched e&xpressions"));
    connect(watches, &QMenu::aboutToShow, this, [this, watches] { m_watches->fill(*watches); });
    m_watches->fill(*watches);
    thread.addSeparator();
    thread.addAction(m_valuesPart->compareAction());
    thread.addAction(m_comparisonPart->compareAction());
    thread.addAction(m_bookmarks->editAction());
    QMenu* bookmarks = thread.addMenu(tr("B&ookmarks"));
    connect(bookmarks, &QMenu::aboutToShow, this, [this, bookmarks] { m_bookmarks->fill(*bookmarks); });
    thread.addMenu(tr("&Values"))->addActions(m_state->compareActions());
    thread.addMenu(tr("Order of the &threads"))->addActions(m_threads->orderActions());
    thread.addSeparator();
    thread.addAction(m_past->failureAction());
    thread.addAction(m_inboxPart->nextAction());
    thread.addAction(m_searchPart->findAction());
    thread.addAction(m_usagePart->showAction());
    thread.addAction(m_rawPart->showAction());
    thread.setToolTipsVisible(true); // why some cannot be used
}

QString MainWindow::exportGraph(const QString& file)
{
    return m_graphFiles->exportGraph(file);
}

QString MainWindow::whyNotExport() const
{
    return m_graphFiles->whyNotExport();
}

} // namespace sg::ui
