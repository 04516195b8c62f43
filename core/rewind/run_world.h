#pragma once

#include "core/checkpoint/snapshot_log.h"
#include "core/engine/companion.h"
#include "core/rewind/sandbox_choice.h"
#include "core/rewind/snapshot_storage.h"
#include "core/sessions/session_world.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace sg::rewind {

// Keeps a thread's sandboxes in step with its checkpoints during one run: it knows the state in which each
// must be when a node is called, and which snapshots belong to which checkpoint. Any thread.
class RunWorld final : public engine::Companion, public sessions::SessionWorld {
public:
    // `isAddressed`: the run was asked to begin at a given checkpoint.
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
    [[nodiscard]] std::shared_ptr<const sessions::Snapshot> base(const sessions::CallSite& caller) override;
    void began(const sessions::CallSite& caller, std::shared_ptr<const sessions::Snapshot> snapshot) override;
    void moved(const sessions::CallSite& caller, std::shared_ptr<const sessions::Snapshot> snapshot,
               bool stays) override;

private:
    using SnapshotPtr = std::shared_ptr<const sessions::Snapshot>;
    using Bindings = std::vector<checkpoint::SnapshotBinding>;
    struct Call {
        sessions::CallSite caller;
        sessions::Stand before;
        SnapshotPtr left;
        bool stays = false; // what it did is not undone if its task fails
    };
    // One of the thread's sessions.
    struct Part {
        sessions::Stand stand;
        bool rootHasSnapshot = false;
        SnapshotPtr root; // before the tasks that had finished when the run went on; null: as `stand` says
        SnapshotPtr beginning; // for a session that had no snapshot before the superstep
        std::vector<Call> calls; // those of the root's superstep, in the session's order
    };
    // The work of the superstep's finished tasks in a session, in the session's order.
    struct Finished {
        SnapshotPtr last;
        bool isBroken = false; // a call of an unfinished task came between, so no snapshot has exactly that
    };
    // The snapshots and bindings to be stored, for all parts.
    struct Due {
        std::vector<SnapshotPtr> snapshots;
        Bindings bindings;
    };
    [[nodiscard]] static Finished finished(const Part& part);
    [[nodiscard]] static std::optional<SnapshotId> boundId(const sessions::Stand& stand);

    // These need the mutex:
    Result<void> takeBases();
    Result<void> takePart(const sessions::SessionPart& name, const SnapshotId& snapshot, bool lacksFinished);
    Part& partOf(const sessions::SessionPart& name);
    [[nodiscard]] Save savingFinished();
    void bindBeginning(const sessions::SessionPart& name, Part& part, Due& due);
    void bindFinished(const sessions::SessionPart& name, const Part& part, Due& due) const;
    [[nodiscard]] Save saving(Due due, std::optional<checkpoint::CheckpointRef> whole);

    checkpoint::SnapshotLog& m_log;
    const SandboxChoice m_choice;
    const bool m_isAddressed;
    // Shared with the functions that store snapshots, which run one after another and may outlive this.
    const std::shared_ptr<KeptFiles> m_keptFiles = std::make_shared<KeptFiles>();

    std::mutex m_mutex;
    // Guarded by m_mutex:
    std::map<sessions::SessionPart, Part> m_parts;
    sessions::Stand m_unknown; // for a session that the checkpoint does not know
    std::optional<checkpoint::CheckpointRef> m_root; // where the root's superstep started
    std::set<SnapshotId> m_saved; // handed over for storing
    // The snapshots of sessions as supersteps began whose calls run beside each other.
    std::map<std::pair<sessions::SessionPart, std::string>, SnapshotPtr> m_bases;
};

} // namespace sg::rewind
