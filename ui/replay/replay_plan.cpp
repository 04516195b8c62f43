#include "ui/replay/replay_plan.h"

#include <QCoreApplication>
#include <QHash>

#include <algorithm>
#include <limits>

namespace sg::ui {
namespace {

// The history's rows, with lookups by checkpoint and parent.
class Links {
public:
    explicit Links(const HistoryRows& history)
    {
        for (const CheckpointRow& row : history.checkpoints) {
            m_rows.insert(row.id, &row);
            m_newestChild.insert(row.parent, &row); // the history is oldest first, so the newest child wins
        }
        for (const TaskRow& task : history.tasks)
            m_tasks[task.checkpoint].push_back(&task);
    }

    [[nodiscard]] const CheckpointRow* row(const QString& id) const { return m_rows.value(id); }
    [[nodiscard]] const CheckpointRow* newestChild(const QString& id) const
    {
        return m_newestChild.value(id);
    }
    [[nodiscard]] std::vector<const TaskRow*> tasks(const QString& id) const { return m_tasks.value(id); }

private:
    QHash<QString, const CheckpointRow*> m_rows;
    QHash<QString, const CheckpointRow*> m_newestChild;
    QHash<QString, std::vector<const TaskRow*>> m_tasks;
};

// Tells whether a checkpoint was made by a fork or an update; its superstep begins again from it.
bool isCopy(const CheckpointRow& row)
{
    return row.source == checkpoint::Source::Fork || row.source == checkpoint::Source::Update;
}

// Avoids an overflow, because a foreign database may hold any number.
int stepAfter(int step, int supersteps)
{
    return step > std::numeric_limits<int>::max() - supersteps ? std::numeric_limits<int>::max()
                                                               : step + supersteps;
}

PlannedTask asPlanned(const TaskRow& task)
{
    return { task.step, task.node, task.outcome, task.seconds };
}

// The tasks that ran last from `at`, or from a copy of it.
std::vector<const TaskRow*> lastTasks(const Links& links, const CheckpointRow& at)
{
    std::vector<const TaskRow*> tasks = links.tasks(at.id);
    for (const CheckpointRow* child = links.newestChild(at.id); child != nullptr && isCopy(*child);
         child = links.newestChild(child->id))
        if (std::vector<const TaskRow*> newer = links.tasks(child->id); !newer.empty())
            tasks = std::move(newer);
    return tasks;
}

void planNext(const Links& links, const CheckpointRow& at, ReplayPlan& plan)
{
    std::vector<const TaskRow*> known = lastTasks(links, at);
    std::vector<const TaskRow*> own = links.tasks(at.id);
    std::erase_if(own, [](const TaskRow* task) { return task->node == QLatin1String("__start__"); });
    for (const QString& node : at.next) {
        PlannedTask planned{ stepAfter(at.step, 1), node, {}, kUnknown };
        const auto ran = std::ranges::find(known, node, &TaskRow::node);
        if (ran != known.end()) {
            planned.outcome = (*ran)->outcome;
            planned.seconds = (*ran)->seconds;
            known.erase(ran); // each of several tasks of one node counts once
        }
        if (const auto same = std::ranges::find(own, node, &TaskRow::node); same != own.end())
            own.erase(same);
        plan.next.push_back(std::move(planned));
    }
    // `next` of the newest checkpoint has only unfinished tasks, but a replay runs its whole superstep.
    for (const TaskRow* task : own) {
        plan.next.push_back(asPlanned(*task));
        plan.next.back().step = stepAfter(at.step, 1);
    }
}

void planLater(const Links& links, const CheckpointRow& at, ReplayPlan& plan)
{
    int steps = 1;
    for (const CheckpointRow* row = links.newestChild(at.id); row != nullptr;
         row = links.newestChild(row->id)) {
        if (isCopy(*row))
            continue;
        ++steps;
        for (const TaskRow* task : links.tasks(row->id)) {
            if (plan.later.size() >= kMostLater) {
                ++plan.moreLater;
                continue;
            }
            plan.later.push_back(asPlanned(*task));
            plan.later.back().step = stepAfter(at.step, steps);
        }
    }
}

} // namespace

ReplayPlan planReplay(const HistoryRows& history, const QString& checkpoint)
{
    ReplayPlan plan;
    plan.thread = history.thread;
    const Links links(history);
    const CheckpointRow* at = links.row(checkpoint);
    if (at == nullptr)
        return plan;
    plan.checkpoint = checkpoint;
    plan.step = at->step;
    plan.after = at->after;
    plan.sandbox = at->sandbox;
    plan.sandboxNote = at->sandboxNote;
    planNext(links, *at, plan);
    planLater(links, *at, plan);
    for (const CheckpointRow* row = at; row != nullptr; row = links.row(row->parent))
        ++plan.shared;
    return plan;
}

ReplayPlan planRerun(const HistoryRows& history, const QString& checkpoint, const QString& node)
{
    ReplayPlan plan = planReplay(history, checkpoint);
    const Links links(history);
    const auto runs = [&](const PlannedTask& task) {
        const TaskRow* own = nullptr;
        for (const TaskRow* each : links.tasks(checkpoint))
            if (each->node == task.node)
                own = each;
        return task.node == node || own == nullptr
            || (own->outcome != TaskOutcome::Done && own->outcome != TaskOutcome::Cached);
    };
    const auto others = std::stable_partition(plan.next.begin(), plan.next.end(), runs);
    plan.reused.assign(others, plan.next.end());
    plan.next.erase(others, plan.next.end());
    return plan;
}

std::vector<std::size_t> laterPlaces(const ReplayPlan& plan)
{
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < plan.later.size(); ++i) {
        const bool isSame = i > 0 && plan.later[i].step == plan.later[i - 1].step;
        places.push_back(i == 0 ? 1 : isSame ? places.back() : places.back() + 1);
    }
    return places;
}

ReplayPlan limited(ReplayPlan plan, const ReplayAim& aim)
{
    if (aim.until == ReplayAim::Until::End)
        return plan;
    auto end = plan.later.begin();
    if (aim.until == ReplayAim::Until::Before) {
        end = std::ranges::find(plan.later, aim.node, &PlannedTask::node);
        if (end == plan.later.end())
            return plan; // the node did not run
        while (end != plan.later.begin() && std::prev(end)->step == end->step)
            --end; // all tasks of its superstep pause
    }
    plan.later.erase(end, plan.later.end());
    plan.moreLater = 0;
    return plan;
}

QString lastStartOf(const HistoryRows& history, const QString& checkpoint, const QString& node)
{
    const Links links(history);
    const CheckpointRow* at = links.row(checkpoint);
    if (at != nullptr && at->next.contains(node))
        return at->id;
    for (std::size_t seen = 0; at != nullptr && seen <= history.checkpoints.size(); ++seen) {
        for (const TaskRow* task : links.tasks(at->id))
            if (task->node == node)
                return at->id;
        at = links.row(at->parent);
    }
    return {};
}

ReplayRefusal replayRefusal(const HistoryRows& history, const QString& checkpoint)
{
    // Searched from the end, because people mostly view new checkpoints.
    const auto at = std::find_if(history.checkpoints.rbegin(), history.checkpoints.rend(),
                                 [&](const CheckpointRow& row) { return row.id == checkpoint; });
    if (at == history.checkpoints.rend())
        return ReplayRefusal::NoCheckpoint;
    if (at->next.isEmpty())
        return ReplayRefusal::NothingLeft;
    if (at != history.checkpoints.rbegin())
        return ReplayRefusal::None;
    const bool waits = std::any_of(history.tasks.rbegin(), history.tasks.rend(), [&](const TaskRow& task) {
        return task.checkpoint == checkpoint && task.outcome == TaskOutcome::Interrupted;
    });
    return waits ? ReplayRefusal::WaitsForAnswer : ReplayRefusal::None;
}

QString wordOf(ReplayVerb verb)
{
    switch (verb) {
    case ReplayVerb::Replay: return QCoreApplication::translate("ReplayVerb", "Replay");
    case ReplayVerb::Fork: return QCoreApplication::translate("ReplayVerb", "Fork");
    case ReplayVerb::Rerun: return QCoreApplication::translate("ReplayVerb", "Run again");
    }
    return {};
}

} // namespace sg::ui
