#pragma once

#include "core/engine/loop/checkpoint_saver.h"
#include "core/engine/loop/error_handling.h"
#include "core/engine/tasks/task_run.h"

#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace sg::engine {

struct RaisedInterrupt {
    Value told; // {"value", "id"}
    NodeId node;
    TaskId task;
};

// Executes the tasks of a superstep: those that cannot block run on the run's own thread, the others in
// parallel. A task's writes are recorded when it is done; a task that fails does not stop the others.
class StepExecution final : private TaskRun::Host {
public:
    StepExecution(LoopState& loop, CheckpointSaver& saver, ErrorHandling& errors, LoopOutput& output);

    void stepPlanned(); // takes the answers that the pending writes hold
    void matchCache();
    Ended execute();

    // The interrupts that this run's tasks raised; a subgraph's count for the task that the subgraph runs in.
    [[nodiscard]] const std::vector<RaisedInterrupt>& raised() const { return m_raised; }
    // Tells whether the answer that names no interrupt was taken before another task's writes were recorded.
    [[nodiscard]] bool isAnswerDropped() const { return m_single && m_single->isDropped(); }

private:
    struct BadEnd {
        std::size_t order;
        TaskEnd end;
        NodeId node;
    };
    void runInline(const std::vector<Task*>& tasks);
    void runParallel(const std::vector<Task*>& tasks);
    void runOne(Task& task);
    void runHeard(Task& task); // runOne() with its events
    void runErrorHandlers();
    void commit(Task& task, TaskEnd end);
    void recordWrites(Task& task, bool cached);
    void keepInCache(const Task& task, const Writes& writes);
    void fail(Task& task, TaskEnd end);
    void warnOfLosses(const Task& task);
    Answers answersFor(Task& task);
    Ended endOfTasks();

    // These implement TaskRun::Host.
    [[nodiscard]] const GraphState& state() const override { return m_loop.channels; }
    [[nodiscard]] const StepLimits& limits() const override { return m_loop.limits; }
    [[nodiscard]] bool runsAlone() const override { return m_runsAlone; }
    [[nodiscard]] const std::string& ns() const override { return m_loop.place.ns; }
    [[nodiscard]] const CheckpointId& checkpoint() override { return m_loop.checkpoint(); }
    const std::string& taskId(Task& task) override { return m_loop.taskId(task); }
    [[nodiscard]] std::size_t placeOf(const Task& task) const override;
    [[nodiscard]] std::vector<NodeId> nodesOfSuperstep() const override;
    TaskEnd runNested(TaskRun& task, const Value& input) override;
    void emitCustom(const Task& task, Value value) override;
    [[nodiscard]] bool streamsMessages() const override
    {
        return m_output.stream().wants(StreamMode::Messages);
    }
    void emitMessage(Value message, Value metadata) override;

    LoopState& m_loop;
    CheckpointSaver& m_saver;
    ErrorHandling& m_errors;
    LoopOutput& m_output;
    std::vector<Task*> m_waiting; // scratch
    bool m_runsAlone = false; // tasks run one after another
    bool m_hadPending = false; // whether there were pending writes when the tasks were planned
    std::shared_ptr<SingleAnswer> m_single;

    std::mutex m_mutex; // guards what recording and emitting touch while tasks run in parallel
    // Guarded by m_mutex:
    std::vector<RaisedInterrupt> m_raised;
    std::set<std::pair<std::int32_t, std::string>> m_dropped; // node and key of warnings already given
    std::vector<BadEnd> m_bad; // failures and commands of this superstep
    std::vector<std::pair<std::size_t, ValueList>> m_asked; // interrupts of this superstep
    bool m_stopped = false;
    std::size_t m_unfinished = 0; // tasks of this superstep
    Ended m_storeFailure;
};

} // namespace sg::engine
