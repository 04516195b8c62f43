#pragma once

#include "core/checkpoint/dispatch_log.h"
#include "core/engine/companion.h"
#include "core/engine/effect_notes.h"

#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace sg::runs {

// Keeps notes of effects in the checkpoints' file, as dispatches without a role: open ones are uncertain, and
// they are settled in the transaction that stores the task's result. Passes all else to another companion.
// One for each run; any thread.
class EffectLog final : public engine::Companion, public engine::EffectNotes {
public:
    // `inner` may be null; both outlive this.
    EffectLog(checkpoint::DispatchLog& log, engine::Companion* inner)
        : m_log(log)
        , m_inner(inner)
    {
    }

    Result<bool> isUncertain(const engine::TaskInfo& task, const std::string& key) override;
    Result<void> begin(const engine::TaskInfo& task, const std::string& key) override;
    void done(const engine::TaskInfo& task, const std::string& key) override;
    void failed(const engine::TaskInfo& task, const std::string& key) override;

    Result<void> begins(const std::optional<checkpoint::CheckpointRef>& loaded, bool goesOn) override;
    Save checkpointDue(const checkpoint::CheckpointRef& made) override;
    Save taskDone(const TaskId& task) override;
    Save superstepLeft() override;

private:
    [[nodiscard]] Save with(Save inner);

    checkpoint::DispatchLog& m_log;
    engine::Companion* const m_inner;
    std::mutex m_mutex;
    // Guarded by m_mutex:
    std::set<std::string> m_begun; // keys of this run
    std::vector<checkpoint::Dispatch> m_due;
};

} // namespace sg::runs
