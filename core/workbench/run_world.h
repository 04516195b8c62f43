#pragma once

#include "core/checkpoint/snapshot_log.h"
#include "core/engine/companion.h"
#include "core/sessions/session_world.h"

#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace sg::workbench {

// What a run does with its thread's sandbox before it goes on.
enum class SandboxChoice {
    Restore, // to the checkpoint's snapshot, as exactly as it can be had; the default
    Exact, // the same, or the run fails
    Stored, // from what was written out, also where the interpreter still sleeps
    Fresh, // an empty sandbox
    Keep, // as the last run left it
};
std::optional<SandboxChoice> sandboxChoiceNamed(const std::string& name);

// A thread's sandbox in step with its checkpoints, for one run: where it must stand when a node is called,
// and which snapshot goes with which checkpoint. Any thread.
class RunWorld final : public engine::Companion, public sessions::SessionWorld {
public:
    // `isAddressed`: the run was asked to begin at a certain checkpoint.
    RunWorld(checkpoint::SnapshotLog& log, SandboxChoice choice, bool isAddressed)
        : m_log(log)
        , m_choice(choice)
        , m_isAddressed(isAddressed)
    {
    }

    Result<void> begins(const std::optional<checkpoint::CheckpointRef>& loaded, bool goesOn) override;
    Save checkpointDue(const checkpoint::CheckpointRef& made) override;
    Save taskDone(const TaskId& task) override;
    Save superstepLeft() override;

    [[nodiscard]] sessions::Stand stand(const sessions::CallSite& caller) override;
    void began(std::shared_ptr<const sessions::Snapshot> snapshot) override;
    void moved(const sessions::CallSite& caller, std::shared_ptr<const sessions::Snapshot> snapshot,
               bool stays) override;

private:
    using SnapshotPtr = std::shared_ptr<const sessions::Snapshot>;
    struct Call {
        sessions::CallSite caller;
        sessions::Stand before;
        SnapshotPtr left;
        bool stays = false;
    };
    // What the finished tasks of the superstep left, in the session's order.
    struct Finished {
        SnapshotPtr last;
        bool isBroken = false; // a call of an unfinished one came between: no snapshot has exactly that
    };
    [[nodiscard]] Finished finished() const;
    [[nodiscard]] Save savingFinished();

    void standAt(SnapshotPtr snapshot);
    // Of where the sandbox stands now; with the mutex.
    [[nodiscard]] std::optional<SnapshotId> boundId() const;
    void bindBeginning(std::vector<checkpoint::SnapshotBinding>& bindings);
    [[nodiscard]] Save saving(std::vector<SnapshotPtr> unsaved,
                              std::vector<checkpoint::SnapshotBinding> bindings,
                              std::optional<checkpoint::CheckpointRef> whole);

    checkpoint::SnapshotLog& m_log;
    const SandboxChoice m_choice;
    const bool m_isAddressed;

    std::mutex m_mutex;
    // Guarded by m_mutex:
    sessions::Stand m_stand;
    std::optional<checkpoint::CheckpointRef> m_root; // what the root's superstep started from
    bool m_rootHasSnapshot = false;
    SnapshotPtr m_beginning; // of a session that stood at no snapshot before
    std::vector<Call> m_calls; // of the root's superstep, in the session's order
    std::set<TaskId> m_done; // of its tasks
    std::set<SnapshotId> m_saved; // handed over to be stored
};

// A snapshot as its log keeps it, and back. In the log's transaction where there is one.
Result<void> keepSnapshot(checkpoint::SnapshotLog& log, const ThreadId& thread,
                          const sessions::Snapshot& snapshot);
// What was written out of a snapshot later on. Nothing where the snapshot belongs to no checkpoint.
Result<void> keepStoredNames(checkpoint::SnapshotLog& log, const SnapshotId& id, const Value& names);
// nullopt: there is none of that id.
Result<std::optional<sessions::Snapshot>> loadSnapshot(checkpoint::SnapshotLog& log, const SnapshotId& id);

} // namespace sg::workbench
