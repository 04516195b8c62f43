#pragma once

#include "core/checkpoint/dispatch_log.h"
#include "core/engine/companion.h"

#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace sg::engine {

// Settles dispatches in the transaction that stores their results: a result counts once, whatever crashes
// between. Passes all else to another companion. One for each run; any thread.
class Receipts : public Companion {
public:
    using Settled = std::function<void(const std::vector<checkpoint::Dispatch>&)>;

    // `inner` may be null; both outlive this. `settled`, which may be empty, is called after they are stored.
    Receipts(checkpoint::DispatchLog& log, Companion* inner, Settled settled = {})
        : m_log(log)
        , m_inner(inner)
        , m_settled(std::make_shared<Settled>(std::move(settled)))
    {
    }

    // The task returns this result now.
    void add(checkpoint::Dispatch dispatch);

    Result<void> begins(const std::optional<checkpoint::CheckpointRef>& loaded, bool goesOn) override;
    Save checkpointDue(const checkpoint::CheckpointRef& made) override;
    Save taskDone(const TaskId& task) override;
    Save superstepLeft() override;

private:
    [[nodiscard]] Save with(Save inner);

    checkpoint::DispatchLog& m_log;
    Companion* const m_inner;
    const std::shared_ptr<Settled> m_settled; // shared with what is to be saved, which may outlive this
    std::mutex m_mutex;
    std::vector<checkpoint::Dispatch> m_due; // guarded by m_mutex
};

} // namespace sg::engine
