#include "ui/graph/scene/run_view.h"

#include "core/graph/node_kinds.h"
#include "ui/bridge/history/run_way.h"
#include "ui/widgets/time_format.h"

#include <QCoreApplication>
#include <QHash>
#include <QSet>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace sg::ui {

namespace {

constexpr std::size_t kMostTaken = 64; // limit of m_taken

QString runText(const char* text)
{
    return QCoreApplication::translate("RunView", text);
}

QString nameOf(const DrawnNode& node)
{
    return QString::fromStdString(node.id.value);
}

// Tells whether no superstep from the last checkpoint of `way` has finished: it is the newest checkpoint, or
// a task there failed, waits or was stopped. A copy or a new input may still follow it.
bool isEnd(const HistoryRows& history, const std::vector<const CheckpointRow*>& way)
{
    if (way.empty() || way.back() == &history.checkpoints.back())
        return !way.empty();
    const QString& id = way.back()->id;
    return std::ranges::none_of(history.checkpoints,
                                [&id](const CheckpointRow& row) {
                                    return row.parent == id && row.source == checkpoint::Source::Loop;
                                })
        && std::ranges::any_of(history.tasks, [&id](const TaskRow& task) {
               return task.checkpoint == id && task.outcome != TaskOutcome::Done
                   && task.outcome != TaskOutcome::Cached;
           });
}

// A person's task itself takes no time: what counts is how long the answer took.
QString doneLine(const TaskRow* task, bool isPersons)
{
    if (task && isPersons && task->wasAsked && std::isfinite(task->triedMs) && std::isfinite(task->seconds))
        return runText("Answered %1")
            .arg(formatDuration((task->startedMs - task->triedMs) / 1000 + task->seconds));
    if (task && task->outcome == TaskOutcome::Cached)
        return stateWord(StateKind::Cached);
    if (task && isPersons && task->wasAsked)
        return runText("Answered");
    if (task && std::isfinite(task->seconds))
        return QStringLiteral("%1 %2").arg(stateWord(StateKind::Done), formatDuration(task->seconds));
    return stateWord(StateKind::Done);
}

// All tasks of one node in the superstep that runs now, as one state.
NodeState stateOfTasks(const std::vector<const TaskRow*>& tasks, bool isPersons)
{
    NodeState state;
    const auto count = [&](TaskOutcome outcome) {
        return std::count_if(tasks.begin(), tasks.end(),
                             [&](const TaskRow* task) { return task->outcome == outcome; });
    };
    const auto first = [&](TaskOutcome outcome) {
        return *std::find_if(tasks.begin(), tasks.end(),
                             [&](const TaskRow* task) { return task->outcome == outcome; });
    };
    const auto finished = count(TaskOutcome::Done) + count(TaskOutcome::Cached);
    const auto total = static_cast<std::ptrdiff_t>(tasks.size());
    if (count(TaskOutcome::Failed) > 0) {
        const TaskRow& failed = *first(TaskOutcome::Failed);
        state.kind = StateKind::Failed;
        state.secondLine = failed.error.isEmpty()
            ? stateWord(StateKind::Failed)
            : QStringLiteral("%1: %2").arg(stateWord(StateKind::Failed), failed.error);
        state.tooltip = failed.error;
    } else if (count(TaskOutcome::Interrupted) > 0) {
        state.kind = StateKind::Waiting;
    } else if (count(TaskOutcome::Paused) > 0) {
        state.kind = StateKind::Paused;
    } else if (count(TaskOutcome::Running) > 0) {
        const TaskRow& running = *first(TaskOutcome::Running);
        state.kind = StateKind::Running;
        state.runningSinceMs = running.startedMs;
        if (total > 1)
            state.secondLine = runText("Running, %1 of %2 done").arg(finished).arg(total);
        else if (running.attempts > 1)
            state.note = runText("try %1").arg(running.attempts);
    } else if (finished == total) {
        state.kind = count(TaskOutcome::Cached) == total ? StateKind::Cached : StateKind::Done;
        state.secondLine = doneLine(tasks.back(), isPersons);
    } else if (finished > 0) {
        state.kind = StateKind::Partial;
        state.secondLine = runText("Done %1 of %2").arg(finished).arg(total);
    } else {
        state.kind = StateKind::Stopped;
    }
    return state;
}

// Returns the task as it stood at that time; nothing: it had not begun.
std::optional<TaskRow> taskThen(const TaskRow& task, double momentMs)
{
    const bool wasTried = task.triedMs <= task.startedMs;
    const double began = wasTried ? task.triedMs : task.startedMs;
    if (!(began <= momentMs))
        return std::nullopt;
    TaskRow then = task;
    if (task.startedMs > momentMs) { // it asked, or an earlier attempt failed
        then.outcome = task.wasAsked ? TaskOutcome::Interrupted : TaskOutcome::Running;
        then.startedMs = began;
        then.seconds = kUnknown;
        then.attempts = 1;
    } else if (task.outcome != TaskOutcome::Cached && task.startedMs + task.seconds * 1000 > momentMs) {
        then.outcome = TaskOutcome::Running;
        then.seconds = kUnknown;
    }
    return then;
}

class Viewer {
public:
    Viewer(const GraphDrawing& drawing, const HistoryRows& history, const QString& checkpoint,
           double momentMs)
        : m_drawing(drawing)
        , m_history(history)
        , m_way(wayTo(history, checkpoint))
        , m_momentMs(momentMs)
        , m_isEnd(!std::isnan(momentMs) || isEnd(history, m_way))
    {
    }

    RunView view()
    {
        m_view.edges.taken.resize(m_drawing.edges.size());
        m_view.edges.arrived.resize(m_drawing.joins.size());
        if (m_way.empty())
            return m_view;
        m_view.edges.runShown = true;
        for (const TaskRow& task : m_history.tasks)
            m_tasks[task.checkpoint].push_back(&task);
        if (!std::isnan(m_momentMs))
            lookBack();
        for (const CheckpointRow* checkpoint : m_way)
            pass(*checkpoint);
        addPassed();
        addTasksNow();
        addRest();
        return m_view;
    }

private:
    // The tasks that began at the checkpoint as they stood at the moment; those that had not begun are left
    // out.
    void lookBack()
    {
        std::vector<const TaskRow*>& tasks = m_tasks[m_way.back()->id];
        m_then.reserve(tasks.size()); // they are pointed to
        for (const TaskRow* task : std::exchange(tasks, {}))
            if (const std::optional<TaskRow> then = taskThen(*task, m_momentMs)) {
                m_then.push_back(*then);
                tasks.push_back(&m_then.back());
            }
    }

    void pass(const CheckpointRow& checkpoint)
    {
        const QStringList after = madeBy(checkpoint);
        for (const QString& node : after) {
            Passed& passed = m_runs[node];
            ++passed.runs;
            passed.made = &checkpoint;
        }
        takeEdges(checkpoint, after);
        if (!m_drawing.joins.empty())
            arrive(QSet<QString>(after.begin(), after.end()));
    }

    // Adds the result of each node's last run.
    void addPassed()
    {
        for (auto node = m_runs.cbegin(); node != m_runs.cend(); ++node) {
            NodeState& state = m_view.nodes[NodeId(node.key().toStdString())];
            const TaskRow* task = taskOf(node->made->parent, node.key());
            state.kind = task && task->outcome == TaskOutcome::Cached ? StateKind::Cached : StateKind::Done;
            state.secondLine = doneLine(task, isPersons(node.key()));
            state.note = runOrdinal(node->runs);
        }
    }

    // The nodes whose tasks made the checkpoint. `after` lacks targets of Sends, and is empty for copies. A
    // copy that a person made has its original's number plus one, so it is two steps after its parent.
    [[nodiscard]] QStringList madeBy(const CheckpointRow& checkpoint)
    {
        QStringList nodes = checkpoint.after;
        const bool isBeside = checkpoint.source == checkpoint::Source::Fork && !m_parents.empty()
            && m_parents.back()->id == checkpoint.parent && checkpoint.step == m_parents.back()->step + 2;
        if (checkpoint.source == checkpoint::Source::Loop || isBeside)
            for (const TaskRow* task : tasksFrom(checkpoint.parent))
                if ((task->outcome == TaskOutcome::Done || task->outcome == TaskOutcome::Cached)
                    && !nodes.contains(task->node))
                    nodes << task->node;
        m_parents.push_back(&checkpoint);
        return nodes;
    }

    [[nodiscard]] const std::vector<const TaskRow*>& tasksFrom(const QString& checkpoint) const
    {
        static const std::vector<const TaskRow*> kNoTasks;
        const auto found = m_tasks.constFind(checkpoint);
        return found == m_tasks.constEnd() ? kNoTasks : *found;
    }

    // The nodes whose tasks start from the checkpoint. The newest one names those alone that have not
    // finished.
    [[nodiscard]] QStringList nextOf(const CheckpointRow& checkpoint) const
    {
        QStringList nodes = checkpoint.next;
        if (m_isEnd && &checkpoint == m_way.back())
            for (const TaskRow* task : tasksFrom(checkpoint.id))
                if (!nodes.contains(task->node))
                    nodes << task->node;
        return nodes;
    }

    [[nodiscard]] bool isPersons(const QString& name) const
    {
        const std::size_t node = m_drawing.findNode(NodeId(name.toStdString()));
        return node < m_drawing.nodes.size() && m_drawing.nodes[node].nodeKind == graph::kHumanKind;
    }

    [[nodiscard]] int runsOf(const QString& node) const { return m_runs.value(node).runs; }

    [[nodiscard]] const TaskRow* taskOf(const QString& checkpoint, const QString& node) const
    {
        const TaskRow* found = nullptr;
        for (const TaskRow* task : tasksFrom(checkpoint))
            if (task->node == node)
                found = task;
        return found;
    }

    void takeEdges(const CheckpointRow& checkpoint, const QStringList& made)
    {
        const QStringList targets = nextOf(checkpoint);
        std::pair taken(made, targets);
        if (std::ranges::find(m_taken, taken) != m_taken.end())
            return; // a loop takes the same edges again
        if (m_taken.size() < kMostTaken)
            m_taken.push_back(std::move(taken));
        const QSet<QString> after(made.begin(), made.end());
        const QSet<QString> next(targets.begin(), targets.end());
        for (std::size_t i = 0; i < m_drawing.edges.size(); ++i) {
            const DrawnEdge& edge = m_drawing.edges[i];
            const DrawnNode& from = m_drawing.nodes[edge.from];
            const DrawnNode& to = m_drawing.nodes[edge.to];
            if (edge.open || edge.join != kNoJoin)
                continue;
            const bool leaves = from.kind == DrawnNode::Kind::Start
                ? after.empty() || after.contains(nameOf(from))
                : after.contains(nameOf(from));
            const bool arrives = to.kind == DrawnNode::Kind::End
                ? (edge.label.empty() && !edge.ofCommand) || next.empty()
                : next.contains(nameOf(to));
            if ((leaves && arrives) || (m_left.contains(i) && after.contains(nameOf(to))))
                m_view.edges.taken[i] = true;
            else if (leaves && !edge.ofBranch && !edge.ofCommand && from.kind != DrawnNode::Kind::Start)
                m_left.insert(i); // a deferred node runs when all others have
        }
    }

    void arrive(const QSet<QString>& after)
    {
        for (std::size_t i = 0; i < m_drawing.joins.size(); ++i)
            arriveAt(i, after);
    }

    // A full bar has let the run pass, so the next arrival starts at zero.
    void arriveAt(std::size_t index, const QSet<QString>& after)
    {
        const DrawnJoin& join = m_drawing.joins[index];
        int& arrived = m_view.edges.arrived[index];
        for (const std::size_t edge : join.edges) {
            if (!after.contains(nameOf(m_drawing.nodes[m_drawing.edges[edge].from])))
                continue;
            if (arrived == static_cast<int>(join.edges.size())) {
                arrived = 0;
                for (const std::size_t other : join.edges)
                    m_view.edges.taken[other] = false;
            }
            arrived += m_view.edges.taken[edge] ? 0 : 1;
            m_view.edges.taken[edge] = true;
        }
    }

    void addTasksNow()
    {
        if (!m_isEnd)
            return;
        QHash<QString, std::vector<const TaskRow*>> byNode;
        for (const TaskRow* task : tasksFrom(m_way.back()->id))
            byNode[task->node].push_back(task);
        for (auto node = byNode.cbegin(); node != byNode.cend(); ++node) {
            NodeState state = stateOfTasks(node.value(), isPersons(node.key()));
            if (!std::isnan(m_momentMs) && state.kind == StateKind::Running)
                stopClock(state);
            if (state.note.isEmpty())
                state.note = runOrdinal(runsOf(node.key()) + 1);
            m_view.nodes[NodeId(node.key().toStdString())] = state;
            m_now.insert(node.key());
        }
    }

    // The card says how long the node had been running by then, and its clock stands still.
    void stopClock(NodeState& state) const
    {
        if (std::isfinite(state.runningSinceMs) && state.secondLine.isEmpty())
            state.secondLine = QStringLiteral("%1 %2").arg(
                stateWord(StateKind::Running), formatDuration((m_momentMs - state.runningSinceMs) / 1000));
        state.runningSinceMs = kUnknown;
        state.isPast = true;
    }

    void addRest()
    {
        const QStringList next = nextOf(*m_way.back());
        const std::vector<Reach> reachable = reachableFrom(next);
        const bool hasEnded = endedAtHead();
        for (std::size_t i = 0; i < m_drawing.nodes.size(); ++i) {
            const QString name = nameOf(m_drawing.nodes[i]);
            if (m_drawing.nodes[i].kind != DrawnNode::Kind::Card || m_now.contains(name))
                continue;
            const bool ran = m_runs.contains(name);
            if (ran && (hasEnded || !next.contains(name)))
                continue;
            if (!m_history.nodes.isEmpty() && !m_history.nodes.contains(name))
                continue; // it was not there
            NodeState& state = m_view.nodes[m_drawing.nodes[i].id];
            state = {};
            if (reachable[i] != Reach::No && hasEnded) {
                state.isUnreached = true;
                state.secondLine = runText("Not reached");
                continue;
            }
            if (reachable[i] == Reach::ByChoice) { // nothing says yet that it will run
                state.secondLine = runText("If chosen");
                continue;
            }
            state.kind = reachable[i] == Reach::Sure ? StateKind::Queued : StateKind::Skipped;
            if (ran)
                state.note = runOrdinal(runsOf(name) + 1);
        }
    }

    // A failure or a stop there: nothing more runs until somebody goes on.
    [[nodiscard]] bool endedAtHead() const
    {
        const auto& tasks = tasksFrom(m_way.back()->id);
        const auto has = [&tasks](TaskOutcome outcome) {
            return std::ranges::any_of(tasks,
                                       [outcome](const TaskRow* task) { return task->outcome == outcome; });
        };
        return m_isEnd && (has(TaskOutcome::Failed) || has(TaskOutcome::Stopped))
            && !has(TaskOutcome::Running);
    }

    enum class Reach { No, ByChoice, Sure }; // by choice: a branch on every way decides about it

    [[nodiscard]] std::vector<Reach> reachableFrom(const QStringList& names) const
    {
        std::vector<Reach> seen(m_drawing.nodes.size(), Reach::No);
        std::vector<std::size_t> open;
        const auto visit = [&](std::size_t node, Reach reach) {
            if (seen[node] < reach) {
                seen[node] = reach;
                open.push_back(node);
            }
        };
        for (std::size_t i = 0; i < m_drawing.nodes.size(); ++i)
            if (names.contains(nameOf(m_drawing.nodes[i])))
                visit(i, Reach::Sure);
        std::vector<std::vector<const DrawnEdge*>> out(m_drawing.nodes.size());
        for (const DrawnEdge& edge : m_drawing.edges)
            out[edge.from].push_back(&edge);
        while (!open.empty()) {
            const std::size_t node = open.back();
            open.pop_back();
            for (const DrawnEdge* edge : out[node]) {
                if (edge->open) // may lead anywhere
                    for (std::size_t to = 0; to < seen.size(); ++to)
                        visit(to, Reach::ByChoice);
                else
                    visit(edge->to, edge->ofBranch || edge->ofCommand ? Reach::ByChoice : seen[node]);
            }
        }
        return seen;
    }

    const GraphDrawing& m_drawing;
    const HistoryRows& m_history;
    std::vector<const CheckpointRow*> m_way;
    double m_momentMs; // kUnknown: when the last of them was made
    std::vector<TaskRow> m_then; // tasks as they were at the moment
    bool m_isEnd; // no superstep from there has finished: its tasks count as present
    QHash<QString, std::vector<const TaskRow*>> m_tasks; // by the checkpoint that they started from
    std::vector<const CheckpointRow*> m_parents; // the checkpoints passed so far
    struct Passed {
        int runs = 0;
        const CheckpointRow* made = nullptr; // made by the last of them
    };
    QHash<QString, Passed> m_runs; // by node
    std::vector<std::pair<QStringList, QStringList>> m_taken; // nodes that ran, and those that were next
    QSet<std::size_t> m_left; // edges whose source ran and whose target did not follow yet
    QSet<QString> m_now; // nodes with tasks in the running superstep
    RunView m_view;
};

} // namespace

QString runOrdinal(int count)
{
    if (count < 2)
        return {};
    const int tens = count % 100;
    const int ones = count % 10;
    const bool teen = tens >= 11 && tens <= 13;
    const char* suffix = teen ? "th" : ones == 1 ? "st" : ones == 2 ? "nd" : ones == 3 ? "rd" : "th";
    return runText("%1%2 run").arg(count).arg(QLatin1String(suffix));
}

RunView runViewAt(const GraphDrawing& drawing, const HistoryRows& history, const QString& checkpoint,
                  double momentMs)
{
    return Viewer(drawing, history, checkpoint, momentMs).view();
}

} // namespace sg::ui
