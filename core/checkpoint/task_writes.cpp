#include "core/checkpoint/task_writes.h"

#include <algorithm>

namespace sg::checkpoint {

std::optional<std::int64_t> specialIndex(std::string_view channel)
{
    if (!channel.starts_with("__"))
        return std::nullopt;
    if (channel == "__error__")
        return -1;
    if (channel == "__scheduled__")
        return -2;
    if (channel == "__interrupt__")
        return -3;
    if (channel == "__resume__")
        return -4;
    return std::nullopt;
}

std::int64_t TaskWrites::indexOf(std::size_t position) const
{
    return specialIndex(writes[position].channel).value_or(static_cast<std::int64_t>(position));
}

std::vector<TaskWrites> writesByTask(const std::vector<PendingWrite>& writes)
{
    std::vector<TaskWrites> tasks;
    for (std::size_t begin = 0; begin < writes.size();) {
        std::size_t end = begin + 1;
        while (end < writes.size() && writes[end].taskId == writes[begin].taskId)
            ++end;
        const std::span ofTask(&writes[begin], end - begin);
        const bool isSpecial = std::ranges::all_of(
            ofTask, [](const PendingWrite& write) { return specialIndex(write.channel).has_value(); });
        tasks.push_back({ ofTask, isSpecial });
        begin = end;
    }
    return tasks;
}

bool onlySpecial(const NewWrites& task)
{
    return std::ranges::all_of(task.writes, [](const NewWrites::Write& write) {
        return specialIndex(write.channel.asString()).has_value();
    });
}

} // namespace sg::checkpoint
