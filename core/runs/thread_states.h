#pragma once

#include "core/base/clock.h"
#include "core/checkpoint/checkpoint_store.h"
#include "core/engine/engine.h"
#include "core/runs/project_runs.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sg::runs {

// A checkpoint that was made without a run.
struct StateChange {
    ThreadId thread;
    std::string ns;
    CheckpointId checkpoint;
    std::optional<CheckpointId> parent;
    std::string source; // "update", "fork", "input"
    std::int64_t step = 0;
    std::vector<NodeId> next;
    std::vector<std::string> ignored; // keys of the values that are no channels of the graph
};

// Reads and changes what threads have stored, with the graph as its file is now. Any thread; a change holds
// the thread's lock, so it is refused (Errc::Conflict) while a run is under way there.
class ThreadStates {
public:
    struct World {
        checkpoint::CheckpointStore& store;
        std::filesystem::path database; // names the threads' locks
        const Clock& clock;
        Random& random;
        std::function<Result<ProjectRuns::Compiled>()> compile;
    };
    explicit ThreadStates(World world)
        : m_world(std::move(world))
    {
    }

    // Exact next and tasks. Errc::InvalidArgument where the graph does not compile.
    Result<engine::StateSnapshot> state(const engine::StateAddress& at);

    // LangGraph's update_state: a new checkpoint on the addressed one, a branch where that is not the newest.
    // A thread without checkpoints is begun only by an update as "__start__" or "__input__".
    // Errc::NotFound: thread or checkpoint; InvalidArgument: what LangGraph refuses.
    Result<StateChange> update(const engine::StateAddress& at, const engine::StateUpdate& update);

    // A new branch that starts as the addressed checkpoint is (a copy beside it); with values, they are
    // updated on the copy as `asNode`, or as the node that wrote last. It has the sandbox of the addressed
    // one unless that is chosen otherwise. Errc::Conflict where it cannot be had as chosen.
    Result<StateChange> fork(const engine::StateAddress& at, const engine::StateUpdate& change,
                             rewind::SandboxChoice sandbox = rewind::SandboxChoice::Restore);

    // A branch on which `nodes` alone are to run again from the addressed checkpoint: what the other tasks of
    // that superstep wrote counts there as it was; those that did not finish run, too. It has the sandbox of
    // the addressed one, without what those others did in it. Errc::InvalidArgument where nothing of one of
    // `nodes` runs from there.
    Result<StateChange> forkToRerun(const engine::StateAddress& at, const std::vector<NodeId>& nodes,
                                    rewind::SandboxChoice sandbox = rewind::SandboxChoice::Restore);

    // Nodes of the newest superstep that had written when the branch behind them failed, or one in their
    // nested graph. Going on takes what they wrote, as LangGraph does, and follows no branch; forkToRerun()
    // runs them again.
    Result<std::vector<NodeId>> failedBranches(const ThreadId& thread);

    // Checkpoints, writes, runs, log and the marks of its sandboxes. Artifacts stay: other threads may have
    // the same content.
    Result<void> remove(const ThreadId& thread);

private:
    Result<StateChange> change(const engine::StateAddress& at,
                               const std::vector<std::vector<engine::StateUpdate>>& steps,
                               rewind::SandboxChoice sandbox, const std::vector<NodeId>& rerun = {});

    World m_world;
};

} // namespace sg::runs
