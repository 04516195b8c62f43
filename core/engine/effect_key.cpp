#include "core/engine/effect_key.h"

#include "core/base/hash.h"

namespace sg::engine {

std::string effectKey(const TaskInfo& task, std::string_view effect)
{
    // A run's id is no part of it: a task that is resumed belongs to another run.
    return sha256Hex(task.thread.value + '\n' + task.task.value + '\n' + std::string(effect));
}

} // namespace sg::engine
