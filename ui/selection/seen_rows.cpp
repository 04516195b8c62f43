#include "ui/selection/seen_rows.h"

#include <QSet>

#include <algorithm>
#include <utility>

namespace sg::ui {
namespace {

constexpr std::size_t kFollowed = 500; // checkpoints of a run that is watched

} // namespace

void SeenRows::set(HistoryRows rows)
{
    if (rows.nodes.isEmpty() && rows.thread == m_rows.thread)
        rows.nodes = std::move(m_rows.nodes);
    m_rows = std::move(rows);
}

void SeenRows::add(const std::vector<CheckpointRow>& added)
{
    m_rows.nodes.clear(); // a run goes on: its graph is the one that is drawn
    auto& rows = m_rows.checkpoints;
    for (const CheckpointRow& row : added) {
        const bool isNew = rows.empty() || rows.back().id < row.id; // ids sort by time
        const auto known =
            isNew ? rows.rend() : std::find_if(rows.rbegin(), rows.rend(), [&](const CheckpointRow& other) {
                return other.id == row.id;
            });
        if (known == rows.rend())
            rows.push_back(row);
        else
            *known = row;
    }
    forgetOld();
}

void SeenRows::forgetOld()
{
    auto& rows = m_rows.checkpoints;
    if (rows.size() <= 2 * kFollowed)
        return;
    rows.erase(rows.begin(), rows.end() - static_cast<std::ptrdiff_t>(kFollowed));
    QSet<QString> kept;
    for (const CheckpointRow& row : rows)
        kept.insert(row.id);
    std::erase_if(m_rows.tasks, [&kept](const TaskRow& task) { return !kept.contains(task.checkpoint); });
}

void SeenRows::changeTasks(const std::vector<TaskRow>& changed)
{
    auto& rows = m_rows.tasks; // what changes stands near the end, and ids sort by time
    for (const TaskRow& row : changed) {
        auto known = rows.rbegin();
        while (known != rows.rend() && row.checkpoint <= known->checkpoint
               && (known->task != row.task || known->checkpoint != row.checkpoint))
            ++known;
        if (known == rows.rend() || known->task != row.task || known->checkpoint != row.checkpoint)
            rows.push_back(row);
        else
            *known = row;
    }
}

} // namespace sg::ui
