#include "core/runs/effect_log.h"

#include <utility>

namespace sg::runs {
namespace {

using checkpoint::Dispatch;

// A task may have several effects: each has a number of its own, from its key's first fifteen digits.
Dispatch dispatchOf(const engine::TaskInfo& task, const std::string& key)
{
    const auto number = static_cast<std::int64_t>(std::stoull(key.substr(0, 15), nullptr, 16));
    return { .thread = task.thread, .task = task.task, .number = number, .digest = key };
}

} // namespace

Result<bool> EffectLog::isUncertain(const engine::TaskInfo& task, const std::string& key)
{
    {
        const std::lock_guard lock(m_mutex);
        if (m_begun.contains(key))
            return false; // a retry, which the graph asks for
    }
    const auto found = m_log.find(task.thread, task.task, dispatchOf(task, key).number);
    if (!found)
        return found.error();
    return *found && (*found)->state == Dispatch::State::Open;
}

Result<void> EffectLog::begin(const engine::TaskInfo& task, const std::string& key)
{
    {
        const std::lock_guard lock(m_mutex);
        m_begun.insert(key);
    }
    return m_log.put(dispatchOf(task, key));
}

void EffectLog::done(const engine::TaskInfo& task, const std::string& key)
{
    add(dispatchOf(task, key));
}

void EffectLog::failed(const engine::TaskInfo& task, const std::string& key)
{
    // A note that stays is asked about, which is no more than a question too many.
    static_cast<void>(m_log.settle({ dispatchOf(task, key) }, Dispatch::State::Failed));
}

} // namespace sg::runs
