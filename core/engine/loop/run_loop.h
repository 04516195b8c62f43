#pragma once

#include "core/engine/out/run_context.h"
#include "core/engine/out/run_stream.h"
#include "core/engine/state/graph_state.h"
#include "core/engine/state/pending.h"
#include "core/engine/steps/task_ids.h"
#include "core/engine/tasks/task_run.h"

#include <deque>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace sg::engine {

// Where a loop stands: at the root, or inside a task of another.
struct LoopPlace {
    bool nested = false;
    std::string ns; // "" at the root
    ValueMap ancestors; // their namespaces → the checkpoints they stand at
    std::optional<bool> resuming; // what the outer graph says
    Answers* outerAnswers = nullptr; // of the task that this graph runs in
    bool stores = false; // has a checkpointer
    bool streams = false; // its chunks reach the listener
    std::optional<CheckpointId> checkpoint; // start from this one
};

// How a loop ended.
struct LoopEnd {
    enum class Kind { Done, Interrupted, Failed, OutOfSteps, Command, Stopped };
    Kind kind = Kind::Done;
    ValueList interrupts; // Interrupted; empty: a static interrupt
    Failure failure; // Failed, OutOfSteps
    NodeId failedNode;
    checkpoint::CommandView command;
};
using Ended = std::optional<LoopEnd>; // nullopt: it goes on

// One run of one graph: loads a checkpoint, then supersteps until nothing is left to do. Owns the order of
// things; planning and folding are functions of its state. Runs on the caller's thread; tasks may run on
// others.
class RunLoop final : private TaskRun::Host {
public:
    RunLoop(const CompiledGraph& graph, RunContext& run, LoopPlace place, Value input);
    ~RunLoop() override;

    LoopEnd run();
    [[nodiscard]] Value output(); // LangGraph's invoke result, without interrupts
    struct RaisedInterrupt {
        Value told; // {"value", "id"}
        NodeId node;
        TaskId task;
    };
    // Recorded by this run's tasks; what a subgraph asks is told as of the task that it runs in.
    [[nodiscard]] const std::vector<RaisedInterrupt>& raisedInterrupts() const { return m_raised; }
    [[nodiscard]] const std::optional<CheckpointId>& head() const { return m_saved; }

private:
    // run_loop.cpp: the order of a superstep
    Ended tick();
    Ended execute();
    Ended afterTick();
    void prepareTasks();
    void matchCache();
    void reapplyFinished();
    bool interruptsAt(const NodeSelection& selection);
    template<typename Visit>
    void eachTask(Visit visit)
    {
        for (Task& task : m_tasks)
            visit(task);
        for (Task& task : m_handlers)
            visit(task);
    }
    Ended applyTasks(ChannelSet& updated);

    // handler_resume.cpp: error handlers of what failed before
    struct FinishedHandler {
        Task* task;
        std::string failedNode;
        Value error; // as stored
    };
    void resumeErrorHandlers();
    void keepFinishedHandlers(const std::vector<FinishedHandler>& finished, bool allFinished);
    bool hasWritesOfNoTask();
    bool wouldFailToFold();
    Task& addHandler(Task& failed, std::int32_t handler, HandledError error);

    // run_start.cpp: from a stored checkpoint and the input to the first superstep
    Ended load();
    Ended begin();
    void adopt(checkpoint::CheckpointRecord record);
    Ended replayDeltas(const checkpoint::CheckpointRecord& record);
    Ended loadRecord(std::optional<checkpoint::CheckpointRecord>& record);
    void decideStart();
    Ended companionBegins();
    Ended takeCommand();
    Ended applyNullWrites();
    void fork();
    Ended applyInput();
    [[nodiscard]] bool sameRunAsStored() const;

    // run_saving.cpp: what reaches the store
    void recordWrites(Task& task, bool cached);
    void recordNullWrites(Writes writes);
    void saveCheckpoint(const char* source, bool tellsUpdated = true);
    void storeCheckpoint(const std::vector<std::int32_t>& snapshots, bool tellsUpdated);
    void addEncoded(const std::string& timestamp, const std::vector<std::string_view>* updated);
    [[nodiscard]] checkpoint::CheckpointMetadata metadataOfCaller() const; // and our own
    // Of the checkpoint that m_state stands for.
    const std::shared_ptr<const checkpoint::CheckpointRef>& sharedRef();
    void saveAtExit();
    void saveCompanionAtEnd(const LoopEnd& end);
    void saveExitPending();

    // delta_saving.cpp: channels stored as changes
    void forceWrittenDeltas();
    void captureExitDeltas();
    void forceSnapshots(const std::vector<std::int32_t>& channels);
    std::vector<std::int32_t> takeSnapshots(ValueMap& counters);
    void saveExitDeltas();
    [[nodiscard]] checkpoint::CheckpointRef refOf(const CheckpointId& id) const;
    Ended storeFailed(const Error& error) const;
    Ended flush(); // all is stored when it returns
    Ended pushSaves(); // stored, or with durability async on its way
    Ended stored(const Result<void>& done) const;

    // task_execution.cpp: tasks of a superstep, inline or in parallel
    void runInline(const std::vector<Task*>& tasks);
    void runParallel(const std::vector<Task*>& tasks);
    void runOne(Task& task);
    void runHeard(Task& task); // the same, and says so
    void commit(Task& task, TaskEnd end);
    void runErrorHandlers();
    std::size_t orderOf(const Task& task);
    Answers answersFor(Task& task);
    void showStored();
    void warnOfLosses(const Task& task);
    Ended endOfTasks();

    // TaskRun::Host
    [[nodiscard]] const GraphState& state() const override { return m_state; }
    [[nodiscard]] const StepLimits& limits() const override { return m_limits; }
    [[nodiscard]] bool runsAlone() const override { return m_runsAlone; }
    [[nodiscard]] const std::string& ns() const override { return m_place.ns; }
    [[nodiscard]] const CheckpointId& checkpoint() override;
    const std::string& taskId(Task& task) override;
    TaskEnd runNested(TaskRun& task, const Value& input) override;
    void emitCustom(const Task& task, Value value) override;

    void noteValues(); // the output as it is now is the newest result
    void emitValues();
    bool outputChanged(const ChannelSet& updated) const;
    void announceCheckpoint();
    Ended finishInterrupted(const LoopEnd& end);

    const CompiledGraph& m_graph;
    RunContext& m_run;
    LoopPlace m_place;
    Value m_input;
    const std::optional<checkpoint::CommandView> m_command; // what the input is, if it is one
    RunStream m_stream;
    const VersionSource m_versions;
    const bool m_exitMode; // durability exit, with a store
    NodeSelection m_before;
    NodeSelection m_after;
    std::vector<std::int32_t> m_outputKeys;

    GraphState m_state;
    StepLimits m_limits;
    ChannelSet m_updated; // by the last superstep
    ChannelSet m_updating; // scratch
    bool m_updatedKnown = false;

    // The checkpoint that m_state stands for.
    CheckpointId m_id; // made on demand
    std::int64_t m_idStep = -2;
    int m_version = 4;
    checkpoint::CheckpointMetadata m_metadata;
    std::vector<Pending> m_pending; // recorded for its superstep, before this run or by a Command
    std::optional<CheckpointId> m_saved; // the newest stored one: the next one's parent
    std::optional<CheckpointId> m_parent; // its parent
    Companion::Save m_beside; // goes with the checkpoint that m_state stands for, once that is stored
    CheckpointId m_initialId; // what the run started from; empty: made up and not needed
    bool m_hasStoredParent = false; // there was such a checkpoint
    bool m_isNew = false; // this run has moved on from it
    bool m_loadedLatest = false;
    bool m_superseded = false; // the thread has moved past the addressed checkpoint
    bool m_isReplaying = false; // finished tasks run again

    std::vector<Task> m_tasks;
    std::vector<Task*> m_waiting; // scratch
    std::deque<Task> m_handlers; // tasks of error handlers; they follow m_tasks
    std::optional<TaskIds> m_taskIds; // made on demand
    std::shared_ptr<SingleAnswer> m_single;
    bool m_planned = false;
    bool m_runsAlone = false; // tasks run one after another
    bool m_hadPending = false; // when the tasks were planned
    std::vector<AppliedTask> m_applied; // scratch

    std::optional<bool> m_resuming; // what nested graphs are told
    std::set<std::pair<std::int32_t, std::string>> m_dropped; // node, key: said already; guarded by m_mutex
    std::vector<Pending> m_carried; // a Command's writes that a fork takes with it
    bool m_forks = false;
    bool m_timeTravels = false;
    bool m_isResuming = false;

    std::shared_ptr<const checkpoint::CheckpointRef> m_ref; // see sharedRef()
    // Scratch of storeCheckpoint().
    std::vector<ValueMap::Entry> m_values;
    std::string m_versionsText;
    std::string m_seenText;
    std::size_t m_blobSize = 1024; // of the checkpoint before

    // Channels stored as changes.
    std::vector<std::int32_t> m_forcedSnapshots;
    std::vector<Version> m_storedDeltas; // versions at the last save, by place in m_graph.deltas
    ValueMap m_deltaCounters; // channel → [updates, supersteps] since its snapshot
    std::vector<Pending> m_resumeLoaded; // loaded writes whose tasks may not get them back
    std::vector<std::string> m_reappliedTasks;
    struct ExitDelta {
        std::int64_t step;
        std::string taskId;
        std::string path;
        Write write;
    };
    std::vector<ExitDelta> m_exitDeltas;
    std::vector<Write> m_exitCommandWrites;
    std::optional<std::int64_t> m_exitFirstStep;
    std::vector<std::pair<std::string, std::int32_t>>
        m_storedDeltaWrites; // task, channel: on the loaded checkpoint
    bool m_nullWritesRecorded = false;

    std::optional<Value> m_latest; // the newest output, where it cannot be read from the channels later
    bool m_hasLatest = false;
    std::vector<RaisedInterrupt> m_raised;
    bool m_unannounced = false; // a stored checkpoint whose event is still to come
    std::string m_announceSource;
    std::vector<NodeId> m_announceAfter;

    std::mutex m_mutex; // guards what recording and emitting touch while tasks run in parallel
    // Guarded by m_mutex:
    struct BadEnd {
        std::size_t order;
        TaskEnd end;
        NodeId node;
    };
    std::vector<BadEnd> m_bad; // failures and commands of this superstep
    std::vector<std::pair<std::size_t, ValueList>> m_asked; // interrupts of this superstep
    std::vector<std::pair<Task*, Failure>> m_toHandle;
    bool m_stopped = false;
    std::size_t m_unfinished = 0; // tasks of this superstep
    Ended m_storeFailure;
};

} // namespace sg::engine
