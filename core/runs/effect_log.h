#pragma once

#include "core/checkpoint/dispatch_log.h"
#include "core/engine/effect_notes.h"
#include "core/engine/receipts.h"

#include <mutex>
#include <set>
#include <string>

namespace sg::runs {

// Keeps notes of effects in the checkpoints' file, as dispatches without a role: open ones are uncertain, and
// they are settled in the transaction that stores the task's result. One for each run; any thread.
class EffectLog final : public engine::Receipts, public engine::EffectNotes {
public:
    // `inner` may be null; both outlive this.
    EffectLog(checkpoint::DispatchLog& log, engine::Companion* inner)
        : Receipts(log, inner)
        , m_log(log)
    {
    }

    Result<bool> isUncertain(const engine::TaskInfo& task, const std::string& key) override;
    Result<void> begin(const engine::TaskInfo& task, const std::string& key) override;
    void done(const engine::TaskInfo& task, const std::string& key) override;
    void failed(const engine::TaskInfo& task, const std::string& key) override;

private:
    checkpoint::DispatchLog& m_log;
    std::mutex m_mutex;
    std::set<std::string> m_begun; // keys of this run; guarded by m_mutex
};

} // namespace sg::runs
