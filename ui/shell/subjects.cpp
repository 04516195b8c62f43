#include "ui/shell/subjects.h"

#include "ui/artifacts/artifacts_panel.h"
#include "ui/code/code_editor.h"
#include "ui/compare/compare_panel.h"
#include "ui/connections/connections_panel.h"
#include "ui/logs/log_panel.h"
#include "ui/pools/pools_panel.h"
#include "ui/replay/replay_panel.h"
#include "ui/run/inbox_panel.h"
#include "ui/run/thread_list.h"
#include "ui/search/search_panel.h"
#include "ui/selection/client_feed.h"
#include "ui/sessions/session_panel.h"
#include "ui/shell/canvas_panel.h"
#include "ui/shell/panel_table.h"
#include "ui/shell/parts/artifacts_part.h"
#include "ui/shell/parts/bookmarks.h"
#include "ui/shell/parts/chat_part.h"
#include "ui/shell/parts/comparison_part.h"
#include "ui/shell/parts/connections_part.h"
#include "ui/shell/parts/dropped_data.h"
#include "ui/shell/parts/editing_part.h"
#include "ui/shell/parts/failure_covers.h"
#include "ui/shell/parts/inbox_part.h"
#include "ui/shell/parts/input_part.h"
#include "ui/shell/parts/log_part.h"
#include "ui/shell/parts/nested_part.h"
#include "ui/shell/parts/overview_part.h"
#include "ui/shell/parts/past_verbs.h"
#include "ui/shell/parts/pools_part.h"
#include "ui/shell/parts/question_part.h"
#include "ui/shell/parts/raw_part.h"
#include "ui/shell/parts/run_banners.h"
#include "ui/shell/parts/search_part.h"
#include "ui/shell/parts/session_tracks.h"
#include "ui/shell/parts/sessions_part.h"
#include "ui/shell/parts/thread_files.h"
#include "ui/shell/parts/usage_part.h"
#include "ui/shell/parts/values_part.h"
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
#include "ui/storage/storage_panel.h"
#include "ui/terminal/terminal_panel.h"
#include "ui/timeline/overview/thread_overview.h"
#include "ui/usage/usage_panel.h"
#include "ui/world/files_panel.h"
#include "ui/world/variables_panel.h"

namespace sg::ui {

Subjects::Subjects(const WindowParts& parts, InterruptCard& card)
{
    const PanelSet& panels = *parts.panels;
    CanvasPanel& canvas = *parts.canvas;
    auto& state = panels.of<StatePanel>();
    auto& log = panels.of<LogPanel>();
    auto& replay = panels.of<ReplayPanel>();
    auto& session = panels.of<SessionPanel>();
    auto& files = panels.of<FilesPanel>();
    auto& overview = panels.of<ThreadOverview>();
    auto& made = panels.of<ArtifactsPanel>();
    past = new PastVerbs(parts, replay, canvas, state, log, session);
    bookmarks = new Bookmarks(parts, panels.of<InboxPanel>());
    values = new ValuesPart(parts, state, replay);
    inbox = new InboxPart(parts, panels.of<InboxPanel>(), *parts.status);
    new OverviewPart(parts, overview);
    search = new SearchPart(parts, panels.of<SearchPanel>());
    usage = new UsagePart(parts, panels.of<UsagePanel>(), state);
    raw = new RawPart(parts, state);
    watches = new Watches(parts);
    new SessionTracks(parts);
    world = new WorldPart(parts, panels.of<VariablesPanel>(), files, state, canvas.code());
    saving = new Saving(parts, canvas, files, replay, *world);
    graphFiles = new GraphFiles(parts, canvas, *saving);
    comparison = new ComparisonPart(parts, panels.of<ComparePanel>());
    versions = new GraphVersions(parts, canvas);
    past->setBeside(bookmarks->editAction(), values->compareAction());
    last = new LastProject(parts, *parts.pages, *parts.start);
    new InputPart(parts, canvas, *parts.runBar);
    start = new StartPart(parts, *parts.pages, *parts.start);
    runtime = new RuntimePart(parts, *parts.start);
    artifacts = new ArtifactsPart(parts, made);
    new FailureCovers(parts, panels.of<ThreadList>(), overview, log, made, *artifacts);
    threadFiles = new ThreadFiles(parts, panels.of<StoragePanel>());
    new LogPart(parts, made);
    new NestedPart(parts);
    new SessionsPart(parts, session, panels.of<TerminalPanel>(), *world, *parts.runBar);
    auto* banners = new RunBanners(parts, *parts.runBar, canvas, session);
    QObject::connect(banners, &RunBanners::replayWanted, past, &PastVerbs::replayFrom);
    new RunPart(parts, { *saving, *last, *runtime, *banners });
    new QuestionPart(parts, card, panels.of<InboxPanel>());
    project = new ProjectState(parts, { *saving, *past, *start, *runtime });
    projects =
        new ProjectPages(parts, { *saving, *start, *last, *project, *graphFiles, *threadFiles, *world });
    chat = new ChatPart(parts);
    documents = new DocumentsPart(parts, { *past, *versions, *artifacts }); // the project is shown by then
    QObject::connect(project, &ProjectState::codeRequested, documents, &DocumentsPart::openCode);
    QObject::connect(banners, &RunBanners::codeRequested, documents, &DocumentsPart::openCode);
    places = new Places(parts, *artifacts, *start, *projects);
    new EditingPart(parts);
    new DroppedData(parts, files);
    connections = new ConnectionsPart(parts, panels.of<ConnectionsPanel>());
    pools = new PoolsPart(parts, panels.of<PoolsPanel>());
    QObject::connect(versions, &GraphVersions::restored, projects, &ProjectPages::open);
    QObject::connect(past, &PastVerbs::openWanted, projects, &ProjectPages::open);
    QObject::connect(threadFiles, &ThreadFiles::arrived, parts.feed, &ClientFeed::readAgain);
}

} // namespace sg::ui
