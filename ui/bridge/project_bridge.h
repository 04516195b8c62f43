#pragma once

#include "core/graph/graph_file.h"
#include "ui/bridge/code_file_row.h"
#include "ui/bridge/history_rows.h"
#include "ui/bridge/query_rows.h"
#include "ui/bridge/raw_rows.h"
#include "ui/bridge/rows.h"
#include "ui/bridge/session_rows.h"
#include "ui/bridge/staged_files.h"
#include "ui/bridge/storage_rows.h"
#include "ui/bridge/table_rows.h"
#include "ui/bridge/usage_rows.h"
#include "ui/bridge/world_rows.h"

#include <QHash>
#include <QObject>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sg::engine {
struct RunInput;
}
namespace sg::projects {
class EditJournal;
}
namespace sg::workbench {
class Workbench;
}

namespace sg::ui {

class HistoryReader;
class TerminalLine;

struct ProjectInfo {
    QString folder;
    QString graphPath;
    QString database; // of the checkpoints
    QString graphName;
    graph::Graph graph;
    std::vector<graph::Problem> problems;
    bool isReadOnly = false; // a database from elsewhere, without its graph
    std::string fileText; // what stood in the file
    std::string unsaved; // edits that a crash left in the journal; empty: none
    bool isUnsavedOlder = false; // they were made on another text of the file
    bool isOpenElsewhere = false; // another window had it open before
    QString editFault; // why the graph must not be edited here: saving would lose something; empty: it may
    bool isReadable = true; // false: `graph` is empty, or the one of before the file was broken
    QString backend; // what a run would use now: "docker", "bubblewrap", "" (none)
    QString isolation;
    bool weakLimits = false;
    UserError sandboxProblem; // `what` empty: none
    QString mode; // "Memory · Local data"
    QStringList hosts; // that sandboxes reach; empty: they have no network
    bool fetchesData = false; // this program does, where a node asks for it
};

enum class GraphFormat { Svg, Png, Dot, Mermaid, Python }; // Python: a project's folder

// One project, from the GUI thread: every call returns at once, the answer comes as a signal. Owns core's
// Workbench and the threads that it is asked on; the only place where core events reach the GUI thread, in
// at most 20 batches a second.
class ProjectBridge : public QObject {
    Q_OBJECT
public:
    explicit ProjectBridge(QObject* parent = nullptr);
    ~ProjectBridge() override; // stops runs and ends sessions; waits for both

    // Graph file or project folder; or a checkpoint database from anywhere, which is only read.
    void open(const QString& path);
    void cancelOpening(); // what is being opened is not wanted any more; nothing is told of it
    void openSample(); // copies the penguins example to the user's data folder where it is not yet
    [[nodiscard]] bool isOpen() const;
    // No question is under way: what was asked for so far was answered. Cells and terminals go on.
    [[nodiscard]] bool isAtRest() const;

    void refreshThreads();
    void refreshSessions();
    void loadHistory(const QString& thread); // the newest checkpoints
    void loadWholeHistory(const QString& thread); // all of them, in pages
    void loadNested(const QString& thread, const QStringList& namespaces); // of subgraphs' runs
    void loadNamespaces(const QString& thread);
    void loadInnerHistory(const QString& thread, const QString& checkpoint,
                          const QStringList& path); // of a subgraph; the newest request wins
    void loadGraphAt(const QString& thread, const QString& checkpoint); // what its run was started on
    void loadCommittedGraph(const QString& revision); // what git has of the graph's file
    // Empty: the newest. `base`: what it is compared with; empty: its parent.
    void loadState(const QString& thread, const QString& checkpoint, const QString& base = {});
    // Where the part of the state that a JSON pointer names came from; `way`: checkpoints from the one that
    // is looked at back to the first. The newest request wins.
    void traceValue(const QString& thread, const QStringList& way, const QString& pointer, int limit);
    void makePatch(const Value& from, const Value& to); // RFC 6902
    void loadWaiting(); // the questions of all threads
    // Two branches or threads, each up to a checkpoint (empty: the newest). The newest request wins.
    void compare(const QString& threadA, const QString& checkpointA, const QString& threadB,
                 const QString& checkpointB);
    // What a jq program says of the states of `way`, newest first: in pieces, each as watched(). A newer
    // question ends it.
    void watch(const QString& thread, const QStringList& way, const QString& program);
    void loadOverview(); // of all threads
    // A checkpoint database as a project of its own, in a folder that is new or empty.
    void copyDatabase(const QString& folder);
    void loadNotes(); // labels and bookmarks
    void loadWatches(); // jq programs that were watched when the project was open last
    void keepWatches(const QStringList& programs);
    // What the checkpoints of a thread tell of a graph that is not there.
    void loadSkeleton(const QString& thread);
    void loadWorld(const WorldWanted& wanted); // the newest request wins
    void loadLog(const QString& thread);
    void loadArtifacts(const QString& thread); // empty: all
    void loadPreview(const ArtifactRow& artifact); // newest request of these three wins
    void loadPage(const ArtifactRow& artifact, qint64 row, const TableOrder& order); // of a table
    // Of so many columns of a table, one after the other; for another artifact the rest is not read.
    void loadColumnFacts(const ArtifactRow& artifact, int columns);
    void compareArtifacts(const ArtifactRow& older, const ArtifactRow& newer);
    void loadThumbnails(const std::vector<ArtifactRow>& artifacts); // one by one, as they are made
    // Verified copies under their right names into a fresh folder; each request is answered once, in order.
    void stageArtifacts(const std::vector<ArtifactRow>& artifacts,
                        const std::shared_ptr<StagedFiles>& staged);
    // Of no use any more: removed at once, or in ten minutes where another program may still be reading.
    void releaseStaged(const std::shared_ptr<StagedFiles>& staged, bool mayBeInUse);
    void exportArtifacts(const std::vector<ArtifactRow>& artifacts, const QString& folder);
    void verifyArtifacts(const std::vector<ArtifactRow>& artifacts);
    void openOutside(const ArtifactRow& artifact); // a copy, for the desktop's own program

    void startRun(const QString& thread, const QString& inputJson); // empty input: goes on where it stands
    void answer(const QString& thread, const QString& answerJson); // the pending interrupt
    void answerOne(const QString& thread, const QString& interrupt, const QString& answerJson);
    // Interrupt → JSON: one run goes on with all of them.
    void answerAll(const QString& thread, const QHash<QString, QString>& answers);
    // Runs, checkpoints, tasks and log lines of all threads, in core's words ("status:failed node:plan"). The
    // newest request wins; an empty one ends the one under way.
    void search(const QString& query);
    void readAhead(); // the history that the first search would read; once for a project, without an answer
    void runSql(const QString& sql); // over the database, which it cannot change; the same
    // What models were asked for: of a thread up to a checkpoint (empty: all of it). The newest request wins.
    void loadUsage(const QString& thread, const QString& checkpoint);
    void loadPrices();
    void keepPrices(const PriceTable& prices);
    // A page of a value's bytes; nothing is made of them.
    void loadRaw(const RawPlace& place, qint64 offset);
    void saveRaw(const RawPlace& place, const QString& file); // all of them
    void setLabel(const QString& thread, const QString& label); // empty: its id is shown
    void setBookmark(const QString& thread, const QString& checkpoint, const std::optional<QString>& note);
    void removeThreads(const QStringList& threads); // for good
    // Runs again from a checkpoint of the past, as a branch of its own.
    // `pauseBefore`: nodes, "*" for every one: it runs one step; empty: as the graph says. `sandbox`: what is
    // done with the thread's: "" it goes back to the checkpoint, "exact", "stored", "fresh", "keep".
    void replay(const QString& thread, const QString& checkpoint, const QStringList& pauseBefore = {},
                const QString& sandbox = {});
    // A branch that starts as that checkpoint is, with the values of the JSON object written as `asNode`
    // (empty: as the node that wrote last); run on at once or left for later.
    void fork(const QString& thread, const QString& checkpoint, const QString& valuesJson,
              const QString& asNode, bool run, const QStringList& pauseBefore = {},
              const QString& sandbox = {});
    // A branch on which that node alone runs again from there: what the others of its superstep wrote counts.
    void rerunNode(const QString& thread, const QString& checkpoint, const QString& node,
                   const QStringList& pauseBefore, const QString& sandbox = {});
    void step(const QString& thread); // goes on by one superstep
    void stopRun(const QString& thread);

    // The graph as it is being edited.
    void checkGraph(const std::string& graphText); // newest request wins
    // `expected`: what stood in the file when it was read. See workbench::saveGraphText.
    void saveGraph(const std::string& graphText, const std::string& expected);
    // In the journal; empty: nothing is unsaved. `base`: what stood in the file when it was read.
    void keepEdits(const std::string& graphText, const std::string& base);
    void reloadGraph(); // graphChanged() follows
    // In another program's form, as it is given here; Python: `target` is a new or empty folder.
    void exportGraph(const graph::Graph& graph, GraphFormat format, const QString& target);
    // LangGraph's JSON as a new graph file with code files beside it; nothing is written over.
    void importGraph(const QString& json, const QString& graphFile);
    // Code files, by their names in the graph. A file that was loaded is loaded again where another program
    // changes it. `expected`: what stood there when it was loaded; none: there was no file.
    void loadCode(const QString& name);
    void saveCode(const QString& name, const QString& text, const std::optional<QString>& expected);
    void keepCode(const QString& name, const QString& text); // as keepEdits()
    void stopSession(const QString& session);
    // What is asked and done by a session's id; none of the questions changes it or its lifetime.
    void loadSessionPast(const QString& session); // stored samples and notes, also of one that has ended
    void loadProcesses(const QString& session);
    void pauseSession(const QString& session, bool pause);
    void extendSession(const QString& session, int minutes); // it lives for so long from now at least
    void restartSession(const QString& session); // ends it and starts another for the same thread
    void setSessionLimits(const QString& session, const SessionLimits& limits);
    // A cell in the thread's session, which is started where there is none; its output comes line by line.
    void runCell(const QString& thread, const QString& code);
    void stopCell(const QString& thread);
    void completeCode(const QString& thread, const QString& code, int cursor); // newest request wins
    // A shell in a session of this program, until it ends or the line is closed.
    void openTerminal(const QString& session, const std::shared_ptr<TerminalLine>& line);
    // Here and below `session`: of the thread, empty its own, "node NAME", "run".
    // Copies local files into a folder of a live session (beneath /session; empty: there itself).
    void putFiles(const QString& thread, const QString& session, const QStringList& files,
                  const QString& folder);
    // The checkpoint from which a file of the session stands as it does at that one.
    void findFileChange(const QString& thread, const QString& checkpoint, const QString& session,
                        const QString& path);
    void loadLiveFiles(const QString& thread, const QString& session); // of one that runs
    // Copies files of a session out: of the live one, or as they were at a checkpoint (not empty, or where
    // none lives). `folder`: empty for a fresh one that goes again. Each request is answered once.
    void takeFiles(const QString& thread, const QString& checkpoint, const QString& session,
                   const std::vector<WantedFile>& wanted, const QString& folder,
                   const std::shared_ptr<StagedFiles>& files);
    void loadSessionText(const QString& thread, const QString& checkpoint, const QString& session,
                         const QString& path); // the same
    // `before`: what was loaded; with an empty hash whatever stands there now is written over.
    void saveSessionText(const SessionText& before, const QString& text);
    // A thread as one file, and such a file as a thread. Where something looks like a secret nothing is
    // written before it was allowed.
    void exportThread(const QString& thread, const QString& file, bool allowSecrets);
    void importThread(const QString& file, const QString& asThread); // empty: under its own name
    void loadStorage();
    void pruneStorage(const PruneWish& wish);
    void checkSandbox(); // asks for a container engine again
    void prepareRuntime(); // builds the sandbox's Python where it is missing; minutes

Q_SIGNALS:
    void closing(); // another project takes the place of the open one, which can still be asked
    void opened(const sg::ui::ProjectInfo& info);
    void openFailed(const sg::ui::UserError& error);
    void graphChanged(const sg::ui::ProjectInfo& info); // the file was edited elsewhere
    void sandboxChecked(const sg::ui::ProjectInfo& info);
    void runtimeProgress(const QString& line);
    void runtimeReady(const sg::ui::UserError& error); // `what` empty: ready

    void databaseChanged(); // by another program

    void threadsLoaded(const std::vector<sg::ui::ThreadRow>& rows);
    void historyLoaded(const sg::ui::HistoryRows& rows); // the newest
    void historyExtended(const sg::ui::HistoryRows& page, bool isLast); // oldest first, page by page
    void nestedLoaded(const std::vector<sg::ui::HistoryRows>& runs);
    void namespacesLoaded(const QString& thread, const QStringList& namespaces);
    void innerHistoryLoaded(const sg::ui::HistoryRows& rows, const QStringList& path);
    void graphVersionLoaded(const sg::ui::GraphVersion& version);
    void stateLoaded(const sg::ui::StateView& state);
    void stateFailed(const QString& thread, const sg::ui::UserError& error);
    void valueTraced(const sg::ui::ValueTraceRows& trace);
    void patchMade(const QString& json);
    void waitingLoaded(const std::vector<sg::ui::WaitingRow>& rows);
    void waitingFailed(const sg::ui::UserError& error);
    void threadsFailed(const sg::ui::UserError& error);
    void overviewFailed(const sg::ui::UserError& error);
    void historyFailed(const QString& thread, const sg::ui::UserError& error);
    void logFailed(const QString& thread, const sg::ui::UserError& error);
    void artifactsFailed(const sg::ui::UserError& error);
    void searched(const sg::ui::SearchRows& rows);
    void sqlAnswered(const sg::ui::SqlRows& rows);
    void usageLoaded(const sg::ui::UsageRows& usage);
    void pricesLoaded(const sg::ui::PriceTable& prices);
    void rawLoaded(const sg::ui::RawPage& page);
    void rawSaved(const QString& file, const sg::ui::UserError& error);
    void compared(const sg::ui::ComparisonRows& rows, const sg::ui::UserError& error);
    void watched(const sg::ui::WatchRows& rows);
    void overviewLoaded(const std::vector<sg::ui::OverviewRow>& rows);
    void databaseCopied(const QString& folder, const sg::ui::UserError& error);
    void notesLoaded(const sg::ui::NoteRows& notes);
    void watchesLoaded(const QStringList& programs);
    void skeletonLoaded(const QString& thread, const sg::graph::Graph& graph);
    void worldLoaded(const sg::ui::WorldView& world);
    void logLoaded(const QString& thread, const std::vector<sg::ui::LogRow>& rows);
    void artifactsLoaded(const std::vector<sg::ui::ArtifactRow>& rows);
    void previewLoaded(const sg::ui::ArtifactPreview& preview);
    void thumbnailLoaded(const sg::ui::ArtifactThumbnail& thumbnail);
    void staged(const std::shared_ptr<sg::ui::StagedFiles>& files, const sg::ui::UserError& error);
    void verified(int contents, const sg::ui::UserError& error);
    void readyOutside(const QString& file);
    void exported(const QStringList& files, const sg::ui::UserError& error);
    void queryFailed(const sg::ui::UserError& error);
    void graphChecked(const std::vector<sg::graph::Problem>& problems);
    // `theirs`: what another program put into the file; nothing was written then.
    void graphSaved(const std::string& graphText, const sg::ui::UserError& error,
                    const std::optional<std::string>& theirs);
    // `notes`: what is otherwise there than here, a line each.
    void graphExported(const QString& target, const QString& notes, const sg::ui::UserError& error);
    void graphImported(const QString& graphFile, const QString& notes, const sg::ui::UserError& error);
    void codeLoaded(const sg::ui::CodeFileRow& file);
    void codeSaved(const QString& name, const QString& text, const sg::ui::UserError& error, bool conflict);

    // Live, of every run of this project.
    void runStarted(const QString& thread, const QString& run);
    void runRefused(const QString& thread, const sg::ui::UserError& error);
    void forked(const QString& thread, const QString& checkpoint); // the new branch's first
    void tasksChanged(const QString& thread, const std::vector<sg::ui::TaskRow>& changed);
    void checkpointsAdded(const QString& thread, const std::vector<sg::ui::CheckpointRow>& added);
    void innerChanged(const QString& thread, const QStringList& namespaces); // what ran inside of subgraphs
    void logAppended(const QString& thread, const std::vector<sg::ui::LogRow>& rows);
    void artifactsAdded(const QString& thread);
    void runFinished(const QString& thread, const QString& status, const sg::ui::UserError& error);
    void sessionsChanged(const std::vector<sg::ui::SessionRow>& sessions);
    void samplesAdded(const QString& session, const std::vector<sg::ui::SampleRow>& samples);
    void sessionNoted(const QString& session, const sg::ui::SessionNoteRow& note);
    void sessionPastLoaded(const sg::ui::SessionPast& past);
    void processesLoaded(const sg::ui::ProcessList& processes);
    void cellPrinted(const QString& thread, const std::vector<sg::ui::LogRow>& lines);
    void cellEnded(const QString& thread, const sg::ui::CellEnd& end);
    void codeCompleted(const sg::ui::CodeCompletion& completion);
    void threadExported(const sg::ui::ThreadBundle& bundle, const sg::ui::UserError& error);
    void threadImported(const sg::ui::ThreadBundle& bundle, const sg::ui::UserError& error);
    void storageLoaded(const sg::ui::StorageView& view, const sg::ui::UserError& error);
    void storagePruned(const sg::ui::PruneOutcome& outcome, const sg::ui::UserError& error);
    void filesPut(const QStringList& paths, const sg::ui::UserError& error);
    void fileChangeFound(const QString& thread, const QString& path, const QString& checkpoint);
    void columnFactsLoaded(const sg::ui::ColumnFacts& facts);
    void liveFilesLoaded(const sg::ui::LiveFiles& files);
    void sessionTextLoaded(const sg::ui::SessionText& text);
    void sessionTextSaved(const sg::ui::SessionText& now, const sg::ui::UserError& error, bool conflict);
    void filesTaken(const std::shared_ptr<sg::ui::StagedFiles>& files, const sg::ui::UserError& error);

private:
    void askPython(); // about the code files; graphChecked() follows where it says something else
    void adopt(std::shared_ptr<workbench::Workbench> workbench,
               std::shared_ptr<projects::EditJournal> journal, ProjectInfo info);
    void listen();
    void watchFiles();
    void followCode(const QString& name);
    void followDatabase();
    void loadFactsOf(const ArtifactRow& artifact, int column, int columns, quint64 asked);
    void begin(const QString& thread, engine::RunInput input);
    void watchNext(const std::function<WatchRows()>& work, quint64 asked);
    void readOn(const std::shared_ptr<HistoryReader>& reader, quint64 asked);
    template<typename Change>
    void changeNotes(Change change);
    void noteStarted(const QString& thread, const RunId& run, const UserError& error);

    template<typename Work>
    void askPreview(Work work);
    template<typename Work>
    void changeSession(Work work);
    void closeTerminals();

    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace sg::ui
