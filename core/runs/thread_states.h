#pragma once

#include "core/base/clock.h"
#include "core/checkpoint/checkpoint_store.h"
#include "core/checkpoint/source.h"
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
    Word<checkpoint::Source> source;
    std::int64_t step = 0;
    std::vector<NodeId> next;
    std::vector<std::string> ignored; // keys of the values that are no channels of the graph
};

// Reads and changes what threads have stored, with the graph file as it is now. Any thread. A change holds
// the thread's lock, so it fails (Errc::Conflict) while a run is under way there.
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

    // Returns the exact next nodes and tasks. Errc::InvalidArgument: the graph does not compile.
    Result<engine::StateSnapshot> state(const engine::StateAddress& at);

    // LangGraph's update_state: makes a new checkpoint on the addressed one, and a branch if that is not the
    // newest. Only an update as "__start__" or "__input__" begins a thread without checkpoints.
    // Errc::NotFound: there is no such thread or checkpoint; InvalidArgument: LangGraph refuses it.
    Result<StateChange> update(const engine::StateAddress& at, const engine::StateUpdate& update);

    // Makes a branch that starts with a copy of the addressed checkpoint. Values are updated on the copy as
    // `asNode`, or as the node that wrote last. The branch has the sandbox of the addressed checkpoint unless
    // `sandbox` says otherwise. Errc::Conflict: that sandbox cannot be had.
    Result<StateChange> fork(const engine::StateAddress& at, const engine::StateUpdate& change,
                             rewind::SandboxChoice sandbox = rewind::SandboxChoice::Restore);

    // Makes a branch on which only `nodes`, and tasks that did not finish, run again from the addressed
    // checkpoint; what the other tasks of that superstep wrote still counts. Its sandbox is that of the
    // addressed checkpoint, without what those others did in it. Errc::InvalidArgument: one of `nodes` does
    // not run from there.
    Result<StateChange> forkToRerun(const engine::StateAddress& at, const std::vector<NodeId>& nodes,
                                    rewind::SandboxChoice sandbox = rewind::SandboxChoice::Restore);

    // Returns the nodes of the newest superstep that had written when their branch, or one in their nested
    // graph, failed. Going on takes what they wrote, as LangGraph does, and follows no branch; forkToRerun()
    // runs them again.
    Result<std::vector<NodeId>> failedBranches(const ThreadId& thread);

    // Removes checkpoints, writes, runs, log and snapshot bindings, but no artifacts: others may share them.
    Result<void> remove(const ThreadId& thread);

private:
    Result<StateChange> change(const engine::StateAddress& at,
                               const std::vector<std::vector<engine::StateUpdate>>& steps,
                               rewind::SandboxChoice sandbox, const std::vector<NodeId>& rerun = {});

    World m_world;
};

} // namespace sg::runs
