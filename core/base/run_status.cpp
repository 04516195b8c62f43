#include "core/base/run_status.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sg {
namespace {

constexpr std::array<std::pair<RunStatus, std::string_view>, 9> kStatuses{ {
    { RunStatus::Unknown, "" },
    { RunStatus::Running, "running" },
    { RunStatus::Done, "done" },
    { RunStatus::Interrupted, "interrupted" },
    { RunStatus::Failed, "failed" },
    { RunStatus::Stopped, "stopped" },
    { RunStatus::RecursionLimit, "recursion_limit" },
    { RunStatus::Unfinished, "unfinished" },
    { RunStatus::Damaged, "damaged" },
} };
constexpr std::array<std::pair<TaskOutcome, std::string_view>, 9> kOutcomes{ {
    { TaskOutcome::Unknown, "" },
    { TaskOutcome::Running, "running" },
    { TaskOutcome::Done, "done" },
    { TaskOutcome::Cached, "cached" },
    { TaskOutcome::Failed, "failed" },
    { TaskOutcome::Interrupted, "interrupted" },
    { TaskOutcome::Stopped, "stopped" },
    { TaskOutcome::Paused, "paused" },
    { TaskOutcome::Pending, "pending" },
} };

template<typename Table, typename Kind>
std::string wordOf(const Table& table, Kind kind)
{
    return std::string(table.at(static_cast<std::size_t>(kind)).second);
}

template<typename Table>
auto named(const Table& table, std::string_view word)
{
    const auto found =
        std::find_if(table.begin(), table.end(), [&](const auto& row) { return row.second == word; });
    return found == table.end() ? table.front().first : found->first;
}

} // namespace

std::string runStatusName(RunStatus status)
{
    return wordOf(kStatuses, status);
}

std::string taskOutcomeName(TaskOutcome outcome)
{
    return wordOf(kOutcomes, outcome);
}

RunStatus runStatusNamed(std::string_view word)
{
    return named(kStatuses, word);
}

TaskOutcome taskOutcomeNamed(std::string_view word)
{
    return named(kOutcomes, word);
}

} // namespace sg
