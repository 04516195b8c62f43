#include "core/history/history_rows.h"

#include <algorithm>
#include <string_view>

namespace sg::history {

std::vector<NodeId> nodesThatWrote(const std::vector<checkpoint::PendingWrite>& writes)
{
    std::vector<NodeId> nodes;
    for (const checkpoint::PendingWrite& write : writes) {
        constexpr std::string_view kPull = "~__pregel_pull, ";
        if (!std::string_view(write.taskPath).starts_with(kPull))
            continue;
        NodeId node{ write.taskPath.substr(kPull.size()) };
        if (std::ranges::find(nodes, node) == nodes.end())
            nodes.push_back(std::move(node));
    }
    return nodes;
}

std::vector<NodeId> unfinishedNodes(const engine::StateSnapshot& snapshot)
{
    std::vector<NodeId> nodes;
    for (const engine::StateTask& task : snapshot.tasks)
        if (!task.result)
            nodes.push_back(task.name);
    return nodes;
}

TaskRow recordedRow(const checkpoint::TaskRecord& record)
{
    TaskRow row;
    row.checkpoint = record.checkpoint.id;
    row.task = record.task;
    row.node = record.node;
    row.step = record.step;
    row.outcome = record.outcome;
    row.startedAt = isoTime(record.startedAt);
    row.seconds = record.seconds;
    row.attempts = record.attempt;
    row.error = record.error;
    row.detail = record.detail;
    return row;
}

void addAttempt(TaskRow& row, const checkpoint::TaskRecord& record)
{
    const std::string tried = row.triedAt.empty() ? row.startedAt : row.triedAt;
    const std::int64_t asked = row.asked + (row.outcome == TaskOutcome::Interrupted ? 1 : 0);
    row = recordedRow(record);
    row.triedAt = tried;
    row.asked = asked;
    row.attempts = std::max<std::int64_t>(row.attempts - asked, 1);
}

TaskRow unrecordedRow(const checkpoint::CheckpointRecord& record, const engine::StateTask& task)
{
    TaskRow row;
    row.checkpoint = record.ref.id;
    row.task = task.id;
    row.node = task.name;
    row.step = record.metadata.step + 1;
    row.error = task.error.isString() ? task.error.asString() : std::string();
    row.outcome = task.result ? TaskOutcome::Done
        : !row.error.empty()  ? TaskOutcome::Failed
                              : TaskOutcome::Interrupted;
    return row;
}

} // namespace sg::history
