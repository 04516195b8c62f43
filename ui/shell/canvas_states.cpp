#include "ui/shell/canvas_panel.h"
#include "ui/widgets/state_look.h"
#include "ui/widgets/time_format.h"

#include <QObject>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace sg::ui {
namespace {

// The checkpoints from the run's input to the shown one, oldest first.
std::vector<const CheckpointRow*> pathTo(const HistoryRows& history, const QString& checkpoint)
{
    std::map<QString, const CheckpointRow*> byId;
    for (const CheckpointRow& row : history.checkpoints)
        byId[row.id] = &row;
    std::vector<const CheckpointRow*> path;
    if (history.checkpoints.empty())
        return path;
    const QString from = checkpoint.isEmpty() ? history.checkpoints.back().id : checkpoint;
    for (auto row = byId.find(from); row != byId.end() && path.size() < history.checkpoints.size();
         row = byId.find(path.back()->parent)) {
        path.push_back(row->second);
        if (row->second->source == QLatin1String("input"))
            break;
    }
    std::ranges::reverse(path);
    return path;
}

QString ordinal(int count)
{
    switch (count) {
    case 2: return QObject::tr("2nd run");
    case 3: return QObject::tr("3rd run");
    default: return QObject::tr("%1th run").arg(count);
    }
}

NodeState stateOf(const TaskRow& task, int runs)
{
    NodeState state;
    state.kind = stateFromWord(task.outcome);
    if (state.kind == StateKind::Running)
        state.runningSinceMs = task.startedMs;
    else if (!std::isnan(task.seconds) && (state.kind == StateKind::Done || state.kind == StateKind::Failed))
        state.secondLine = stateWord(state.kind) + QLatin1Char(' ') + formatDuration(task.seconds);
    if (runs > 1)
        state.note = ordinal(runs);
    else if (task.attempts > 1)
        state.note = QObject::tr("attempt %1").arg(task.attempts);
    state.tooltip = task.error;
    return state;
}

} // namespace

NodeStates nodeStatesAt(const HistoryRows& history, const QString& checkpoint)
{
    NodeStates states;
    std::map<NodeId, int> runs;
    const auto path = pathTo(history, checkpoint);
    for (const CheckpointRow* row : path) {
        const bool isShown = row == path.back();
        for (const TaskRow& task : history.tasks) {
            // What runs from a past checkpoint lies in its future: there its nodes are only next.
            if (task.checkpoint != row->id || (isShown && !checkpoint.isEmpty()))
                continue;
            const NodeId node(task.node.toStdString());
            states[node] = stateOf(task, ++runs[node]);
        }
    }
    if (path.empty())
        return states;
    for (const QString& next : path.back()->next) {
        NodeState& state = states[NodeId(next.toStdString())];
        const bool busy = state.kind == StateKind::Running || state.kind == StateKind::Failed
            || state.kind == StateKind::Waiting;
        if (!checkpoint.isEmpty() || !busy) {
            if (checkpoint.isEmpty() && state.kind == StateKind::Done && runs[NodeId(next.toStdString())] > 0)
                continue;
            state = {};
            state.kind = StateKind::Queued;
        }
    }
    return states;
}

EdgeStates edgeStatesAt(const GraphDrawing& drawing, const HistoryRows& history, const QString& checkpoint)
{
    EdgeStates states;
    const auto path = pathTo(history, checkpoint);
    states.runShown = !path.empty();
    states.taken.assign(drawing.edges.size(), false);
    states.arrived.assign(drawing.joins.size(), 0);
    if (path.empty())
        return states;
    std::set<std::pair<std::string, std::string>> taken;
    std::set<std::string> ran;
    const auto name = [](const QString& node) {
        return node == QLatin1String("__start__") ? std::string(graph::kStart) : node.toStdString();
    };
    for (const CheckpointRow* row : path) {
        QStringList from = row->after;
        if (row->step == 0 && from.isEmpty())
            from << QStringLiteral("__start__");
        for (const QString& node : from)
            ran.insert(name(node));
        for (const QString& node : from)
            for (const QString& to : row->next)
                taken.insert({ name(node), name(to) });
        if (row->next.isEmpty())
            for (const QString& node : from)
                taken.insert({ name(node), graph::kEnd });
    }
    for (std::size_t i = 0; i < drawing.edges.size(); ++i) {
        const DrawnEdge& edge = drawing.edges[i];
        const std::string& from = drawing.nodes[edge.from].id.value;
        const bool arrived = edge.join != kNoJoin && ran.contains(from);
        states.taken[i] = arrived || taken.contains({ from, drawing.nodes[edge.to].id.value });
        if (arrived)
            ++states.arrived[edge.join];
    }
    return states;
}

} // namespace sg::ui
