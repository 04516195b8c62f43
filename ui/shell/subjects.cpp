#include "ui/shell/subjects.h"

#include "ui/artifacts/artifacts_panel.h"
#include "ui/bridge/clients.h"
#include "ui/code/code_editor.h"
#include "ui/documents/document_area.h"
#include "ui/logs/log_panel.h"
#include "ui/replay/replay_panel.h"
#include "ui/run/inbox_panel.h"
#include "ui/run/run_bar.h"
#include "ui/run/thread_list.h"
#include "ui/search/search_panel.h"
#include "ui/selection/client_feed.h"
#include "ui/selection/selection.h"
#include "ui/sessions/session_panel.h"
#include "ui/shell/canvas_panel.h"
#include "ui/shell/dock_layout.h"
#include "ui/shell/panel_table.h"
#include "ui/shell/parts/bookmarks.h"
#include "ui/shell/parts/chat_part.h"
#include "ui/shell/parts/comparison_part.h"
#include "ui/shell/parts/dropped_data.h"
#include "ui/shell/parts/editing_part.h"
#include "ui/shell/parts/inbox_part.h"
#include "ui/shell/parts/input_part.h"
#include "ui/shell/parts/past_verbs.h"
#include "ui/shell/parts/question_part.h"
#include "ui/shell/parts/run_banners.h"
#include "ui/shell/parts/sessions_part.h"
#include "ui/shell/parts/thread_files.h"
#include "ui/shell/parts/watches.h"
#include "ui/shell/parts/world_part.h"
#include "ui/shell/project/documents_part.h"
#include "ui/shell/project/graph_files.h"
#include "ui/shell/project/graph_versions.h"
#include "ui/shell/project/last_project.h"
#include "ui/shell/project/places.h"
#include "ui/shell/project/project_pages.h"
#include "ui/shell/project/project_state.h"
#include "ui/shell/project/run_part.h"
#include "ui/shell/project/runtime_part.h"
#include "ui/shell/project/saving.h"
#include "ui/shell/project/start_part.h"
#include "ui/start/start_page.h"
#include "ui/state/state_panel.h"
#include "ui/timeline/timeline_panel.h"
#include "ui/usage/usage_panel.h"
#include "ui/world/files_panel.h"
#include "ui/world/variables_panel.h"

#include <QMainWindow>

namespace sg::ui {
namespace {

// Connects panels of which one says what another shows.
void joinPanels(const WindowParts& parts)
{
    DockLayout* docks = parts.docks;
    TimelinePanel* timeline = parts.timeline;
    auto* state = &parts.panels->of<StatePanel>();
    auto* usage = &parts.panels->of<UsagePanel>();
    usage->readFor(*state);
    QObject::connect(usage, &UsagePanel::lineChanged, state, &StatePanel::setUsage);
    QObject::connect(state, &StatePanel::usageRequested, docks, [docks, usage] { docks->raise(usage); });
    QObject::connect(state, &StatePanel::worldRequested, docks,
                     [docks, names = &parts.panels->of<VariablesPanel>()] { docks->raise(names); });
    auto* threads = &parts.panels->of<ThreadList>();
    QObject::connect(threads, &ThreadList::runRequested, parts.runBar, &RunBar::runFirst);
    QObject::connect(parts.runBar, &RunBar::blockedChanged, threads,
                     [threads](const QString& reason) { threads->setCanRun(reason.isEmpty()); });
    auto* made = &parts.panels->of<ArtifactsPanel>();
    QObject::connect(made, &ArtifactsPanel::countChanged, docks,
                     [docks, made](int count) { docks->setCount(made, count, Badge::Kind::Quiet); });
    auto* log = &parts.panels->of<LogPanel>();
    QObject::connect(made, &ArtifactsPanel::logRequested, log,
                     [docks, log, selection = parts.selection](const ArtifactRow& artifact) {
                         selection->setThread(artifact.thread);
                         log->setFilter(
                             QStringLiteral("node:%1 step:%2").arg(artifact.node).arg(artifact.step));
                         docks->raise(log);
                     });
    QObject::connect(parts.documents, &DocumentArea::made, timeline,
                     [timeline](const DocumentId&, QWidget* document) {
                         if (const auto* search = qobject_cast<SearchPanel*>(document))
                             QObject::connect(search, &SearchPanel::foundInThread, timeline,
                                              &TimelinePanel::setFound, Qt::UniqueConnection);
                     });
    QObject::connect(&parts.clients->runs, &RunsClient::innerChanged, parts.canvas,
                     [canvas = parts.canvas, selection = parts.selection](const QString& thread) {
                         if (thread == selection->thread())
                             canvas->readInnerAgain(); // one of them may be shown there
                     });
}

// Tells it over everything, also where a panel shows it in its own place.
void tellFailures(const WindowParts& parts)
{
    const auto tell = [&parts](const UserError& error) {
        tellError(parts, BannerStack::Owner::Action, error);
    };
    const auto tellOfShown = [&parts, tell](const QString& thread, const UserError& error) {
        if (thread == parts.selection->thread())
            tell(error);
    };
    const HistoryClient* history = &parts.clients->history;
    QObject::connect(history, &HistoryClient::threadsFailed, parts.window, tell);
    QObject::connect(history, &HistoryClient::overviewFailed, parts.window, tell);
    QObject::connect(history, &HistoryClient::historyFailed, parts.window, tellOfShown);
    QObject::connect(history, &HistoryClient::logFailed, parts.window, tellOfShown);
    QObject::connect(&parts.clients->artifacts, &ArtifactsClient::artifactsFailed, parts.window, tell);
}

} // namespace

Subjects::Subjects(const WindowParts& parts, InterruptCard& card)
{
    const PanelSet& panels = *parts.panels;
    CanvasPanel& canvas = *parts.canvas;
    auto& state = panels.of<StatePanel>();
    auto& log = panels.of<LogPanel>();
    auto& replay = panels.of<ReplayPanel>();
    auto& session = panels.of<SessionPanel>();
    auto& files = panels.of<FilesPanel>();
    auto& made = panels.of<ArtifactsPanel>();
    joinPanels(parts);
    tellFailures(parts);
    past = new PastVerbs(parts, replay, canvas, log, session);
    bookmarks = new Bookmarks(parts);
    inbox = new InboxPart(parts, panels.of<InboxPanel>(), *parts.status);
    watches = new Watches(parts);
    world = new WorldPart(parts, panels.of<VariablesPanel>(), files, canvas.code());
    saving = new Saving(parts, canvas, files, replay, *world);
    graphFiles = new GraphFiles(parts, canvas, *saving);
    comparison = new ComparisonPart(parts);
    versions = new GraphVersions(parts, canvas);
    past->setBeside(bookmarks->editAction(), state.pinAction());
    last = new LastProject(parts, *parts.pages, *parts.start);
    new InputPart(parts, canvas, *parts.runBar);
    start = new StartPart(parts, *parts.pages, *parts.start);
    runtime = new RuntimePart(parts, *parts.start);
    threadFiles = new ThreadFiles(parts);
    new SessionsPart(parts, session, *world);
    auto* banners = new RunBanners(parts, *parts.runBar, canvas, session);
    QObject::connect(banners, &RunBanners::replayWanted, &replay,
                     [&replay](const TaskRow& task) { replay.replayFrom(task.checkpoint); });
    auto* running = new RunPart(parts, { *saving, *last, *runtime, *banners });
    new QuestionPart(parts, card, panels.of<InboxPanel>());
    project = new ProjectState(parts, { *saving, *past, *start, *runtime });
    projects =
        new ProjectPages(parts, { *saving, *start, *last, *project, *graphFiles, *threadFiles, *world });
    chat = new ChatPart(parts);
    documents = new DocumentsPart(parts, { *past, *versions, made }); // the project is shown by then
    QObject::connect(running, &RunPart::failureStood, project, &ProjectState::setFailure);
    QObject::connect(project, &ProjectState::codeRequested, documents, &DocumentsPart::openCode);
    QObject::connect(banners, &RunBanners::codeRequested, documents, &DocumentsPart::openCode);
    places = new Places(parts, made, *start, *projects);
    new EditingPart(parts);
    new DroppedData(parts, files);
    QObject::connect(versions, &GraphVersions::restored, projects, &ProjectPages::open);
    QObject::connect(past, &PastVerbs::openWanted, projects, &ProjectPages::open);
    QObject::connect(threadFiles, &ThreadFiles::arrived, parts.feed, &ClientFeed::readAgain);
}

} // namespace sg::ui
