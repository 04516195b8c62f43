#pragma once

#include "core/engine/loop/delta_saving.h"
#include "core/engine/loop/loop_state.h"

#include <utility>
#include <vector>

namespace sg::engine {

// Plans the tasks of error handlers: for tasks that fail in this superstep, and for those that had failed
// when the run before this one ended.
class ErrorHandling {
public:
    ErrorHandling(LoopState& loop, DeltaSaving& deltas);

    // Plans the handlers of failures among the superstep's pending writes, unless they have finished.
    void resume();
    // Called under the lock of StepExecution when a task of a node with a handler has failed.
    void add(Task& task, Failure failure) { m_failed.emplace_back(&task, std::move(failure)); }
    [[nodiscard]] bool hasFailures() const { return !m_failed.empty(); }
    // Plans and returns the handlers of failures added since the last call, in the order of the tasks.
    std::vector<Task*> takeHandlers();
    void dropFailures() { m_failed.clear(); }

private:
    struct FinishedHandler {
        Task* task;
        std::string failedNode;
        Value error; // as stored
    };
    void keepFinished(const std::vector<FinishedHandler>& finished, bool allFinished);
    [[nodiscard]] bool hasWritesOfNoTask();
    [[nodiscard]] bool wouldFailToFold();
    Task& addHandler(Task& failed, std::int32_t handler, HandledError error);

    LoopState& m_loop;
    DeltaSaving& m_deltas;
    std::vector<std::pair<Task*, Failure>> m_failed;
};

} // namespace sg::engine
