#include "core/engine/receipts.h"

#include <utility>

namespace sg::engine {

void Receipts::add(checkpoint::Dispatch dispatch)
{
    const std::lock_guard lock(m_mutex);
    m_due.push_back(std::move(dispatch));
}

Result<void> Receipts::begins(const std::optional<checkpoint::CheckpointRef>& loaded, bool goesOn)
{
    return m_inner == nullptr ? Result<void>() : m_inner->begins(loaded, goesOn);
}

Companion::Save Receipts::with(Save inner)
{
    std::vector<checkpoint::Dispatch> due;
    {
        const std::lock_guard lock(m_mutex);
        due.swap(m_due);
    }
    if (due.empty())
        return inner;
    return [log = &m_log, due = std::move(due), inner = std::move(inner),
            settled = m_settled]() -> Result<void> {
        if (inner)
            if (auto saved = inner(); !saved)
                return saved;
        auto stored = log->settle(due, checkpoint::Dispatch::State::Received);
        if (stored && *settled)
            (*settled)(due);
        return stored;
    };
}

Companion::Save Receipts::checkpointDue(const checkpoint::CheckpointRef& made)
{
    return with(m_inner == nullptr ? Save() : m_inner->checkpointDue(made));
}

Companion::Save Receipts::taskDone(const TaskId& task)
{
    return with(m_inner == nullptr ? Save() : m_inner->taskDone(task));
}

Companion::Save Receipts::superstepLeft()
{
    return with(m_inner == nullptr ? Save() : m_inner->superstepLeft());
}

} // namespace sg::engine
