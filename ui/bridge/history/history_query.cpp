#include "ui/bridge/history/history_query.h"

#include "core/base/json.h"
#include "core/base/json_patch.h"
#include "core/base/printable.h"
#include "core/checkpoint/serde/plain_data.h"
#include "core/graph/graph.h"
#include "core/history/history.h"
#include "ui/bridge/artifacts/artifact_query.h"
#include "ui/bridge/history/overview_query.h"
#include "ui/bridge/history/run_way.h"
#include "ui/bridge/rows/row_conversion.h"

#include <QSet>

#include <algorithm>
#include <limits>

namespace sg::ui {
namespace {

constexpr int kMostWaiting = 500;
constexpr int kMostCompared = 100'000; // checkpoints of each side
constexpr std::size_t kMostStates = 20'000; // states read of each side

void addWaiting(const QString& thread, const engine::StateSnapshot& snapshot, std::vector<WaitingRow>& rows)
{
    const std::size_t before = rows.size();
    WaitingRow row;
    row.thread = thread;
    row.checkpoint = snapshot.config.checkpoint ? text(snapshot.config.checkpoint->value) : QString();
    row.step = snapshot.metadata ? static_cast<int>(snapshot.metadata->intOr("step", 0)) + 1 : 0;
    row.sinceMs = milliseconds(snapshot.createdAt);
    for (const engine::StateTask& task : snapshot.tasks) {
        if (task.result)
            continue;
        row.node = text(task.name.value);
        for (const Value& interrupt : task.interrupts) {
            const Value shown = checkpoint::plain(interrupt);
            row.interrupt = text(shown.stringOr("id", ""));
            row.asked = shown["value"];
            rows.push_back(row);
        }
    }
    if (rows.size() > before || snapshot.next.empty())
        return;
    row.node = nodeNames(snapshot.next).join(QStringLiteral(", ")); // a breakpoint: no question
    rows.push_back(std::move(row));
}

} // namespace

Answer<ValueTraceRows> readTrace(workbench::Workbench& workbench, const QString& thread,
                                 const QStringList& way, const QString& pointer, int limit)
{
    std::vector<CheckpointId> ids;
    ids.reserve(static_cast<std::size_t>(way.size()));
    for (const QString& id : way)
        ids.emplace_back(utf8(id));
    auto trace = workbench.history().trace(ThreadId(utf8(thread)), ids, utf8(pointer),
                                           static_cast<std::size_t>(limit));
    if (!trace)
        return { {}, userError(trace.error()) };
    Answer<ValueTraceRows> answer;
    answer.value.thread = thread;
    answer.value.checkpoint = way.isEmpty() ? QString() : way.front();
    answer.value.pointer = pointer;
    answer.value.isWhole = trace->isWhole;
    for (const history::ValueOrigin& origin : trace->origins)
        answer.value.origins.push_back({ text(origin.checkpoint.value), static_cast<int>(origin.step),
                                         origin.source, nodeNames(origin.writtenBy), origin.value,
                                         origin.isMissing });
    return answer;
}

Answer<std::vector<WaitingRow>> readWaiting(workbench::Workbench& workbench)
{
    auto threads = workbench.history().threads();
    if (!threads)
        return { {}, userError(threads.error()) };
    Answer<std::vector<WaitingRow>> answer;
    for (const history::ThreadRow& row : *threads) {
        if (row.status != RunStatus::Interrupted || answer.value.size() >= kMostWaiting)
            continue;
        auto snapshot = workbench.history().state(row.thread);
        if (snapshot)
            addWaiting(text(row.thread.value), *snapshot, answer.value);
    }
    return answer;
}

namespace {

struct SideRows {
    HistoryRows history;
    Value values;
    int artifacts = 0;
    double peakMemory = kUnknown;
};

Answer<SideRows> readSide(workbench::Workbench& workbench, const CompareSide& side)
{
    Answer<SideRows> answer;
    auto history = readHistory(workbench, side.thread, kMostCompared);
    auto state = readState(workbench, side.thread, side.checkpoint, {});
    for (const UserError& error : { history.error, state.error })
        if (!error.what.isEmpty())
            answer.error = error;
    answer.value.history = std::move(history.value);
    answer.value.values = std::move(state.value.values);
    const auto way = wayTo(answer.value.history, state.value.checkpoint);
    if (way.empty() && !state.value.checkpoint.isEmpty() && answer.error.what.isEmpty())
        answer.error = { QStringLiteral("This branch lies behind the newest %1 checkpoints of its thread.")
                             .arg(kMostCompared),
                         {} };
    QSet<QString> steps;
    for (const CheckpointRow* row : way)
        steps.insert(row->id);
    for (const ArtifactRow& row : readArtifacts(workbench, side.thread).value)
        answer.value.artifacts +=
            row.checkpoint.isEmpty() ? row.step <= state.value.step : steps.contains(row.checkpoint);
    answer.value.peakMemory = peakMemory(workbench, side.thread, { way.rbegin(), way.rend() });
    return answer;
}

std::vector<CheckpointId> idsOf(const std::vector<const CheckpointRow*>& way, std::size_t most)
{
    std::vector<CheckpointId> ids;
    for (const CheckpointRow* row : way)
        if (ids.size() < most)
            ids.emplace_back(utf8(row->id));
    return ids;
}

// The states are compared too, because equal nodes may have written different values.
Result<std::optional<std::size_t>> readParting(workbench::Workbench& workbench, const CompareSide& a,
                                               const CompareSide& b, const ComparisonRows& rows)
{
    const auto left = idsOf(wayTo(rows.a, rows.checkpointA), kMostStates);
    const auto right = idsOf(wayTo(rows.b, rows.checkpointB), kMostStates);
    return workbench.history().parting({ ThreadId(utf8(a.thread)), left },
                                       { ThreadId(utf8(b.thread)), right });
}

} // namespace

Answer<ComparisonRows> readComparison(workbench::Workbench& workbench, const CompareSide& a,
                                      const CompareSide& b)
{
    auto left = readSide(workbench, a);
    auto right = readSide(workbench, b);
    if (!left.error.what.isEmpty() || !right.error.what.isEmpty())
        return { {}, left.error.what.isEmpty() ? right.error : left.error };
    ComparisonRows rows{ std::move(left.value.history),
                         std::move(right.value.history),
                         a.checkpoint,
                         b.checkpoint,
                         {},
                         std::move(left.value.values),
                         std::move(right.value.values),
                         left.value.artifacts,
                         right.value.artifacts,
                         left.value.peakMemory,
                         right.value.peakMemory };
    auto parting = readParting(workbench, a, b, rows);
    if (!parting)
        return { {}, userError(parting.error()) };
    rows.parting = *parting;
    return { std::move(rows), {} };
}

NoteRows noteRows(const projects::NotesByThread& notes)
{
    NoteRows rows;
    for (const auto& [thread, each] : notes) {
        ThreadNoteRow& row = rows[text(thread.value)];
        row.label = text(each.label);
        for (const auto& [checkpoint, note] : each.bookmarks)
            row.bookmarks.insert(text(checkpoint.value), text(note));
    }
    return rows;
}

QString patchText(const Value& from, const Value& to)
{
    return text(toJson(jsonPatch(from, to), JsonStyle::Indented));
}

UserError removeThreads(workbench::Workbench& workbench, projects::ProjectNotes& notes,
                        const QStringList& threads)
{
    for (const QString& thread : threads) {
        const ThreadId id(utf8(thread));
        if (auto removed = workbench.states().remove(id); !removed)
            return userError(removed.error());
        if (auto forgotten = notes.forget(id); !forgotten)
            return userError(forgotten.error());
    }
    return {};
}

Answer<std::vector<ThreadRow>> readThreads(workbench::Workbench& workbench)
{
    auto threads = workbench.history().threads();
    if (!threads)
        return { {}, userError(threads.error()) };
    Answer<std::vector<ThreadRow>> answer;
    for (const history::ThreadRow& row : *threads)
        answer.value.push_back(threadRow(row));
    return answer;
}

namespace {

std::vector<TaskRow> taskRows(const engine::StateSnapshot& snapshot, int step)
{
    std::vector<TaskRow> rows;
    for (const engine::StateTask& task : snapshot.tasks) {
        TaskRow row;
        row.task = text(task.id.value);
        row.node = text(task.name.value);
        row.step = step + 1;
        row.error = task.error.isString() ? text(printableText(history::errorWords(task.error.asString())))
                                          : QString();
        row.outcome = task.result      ? TaskOutcome::Done
            : !row.error.isEmpty()     ? TaskOutcome::Failed
            : !task.interrupts.empty() ? TaskOutcome::Interrupted
                                       : TaskOutcome::Pending;
        rows.push_back(std::move(row));
    }
    return rows;
}

// The last task of `node` that began before `step` ended; null if there is none.
const history::TaskRow* lastTaskOf(const std::vector<history::TaskRow>& tasks, const std::string& node,
                                   std::int64_t step)
{
    const history::TaskRow* last = nullptr;
    for (const history::TaskRow& task : tasks)
        if (task.node.value == node && task.step <= step && (last == nullptr || task.step >= last->step))
            last = &task;
    return last;
}

std::int64_t stepOf(const std::vector<history::CheckpointRow>& rows, const QString& checkpoint)
{
    for (const history::CheckpointRow& row : rows)
        if (text(row.id.value) == checkpoint)
            return row.step;
    return std::numeric_limits<std::int64_t>::max();
}

} // namespace

Answer<HistoryRows> readInnerHistory(workbench::Workbench& workbench, const QString& thread,
                                     const QString& checkpoint, const QStringList& path)
{
    const ThreadId id(utf8(thread));
    Answer<HistoryRows> answer;
    answer.value.thread = thread;
    history::History& history = workbench.history();
    std::int64_t until = std::numeric_limits<std::int64_t>::max();
    if (!checkpoint.isEmpty()) {
        auto rows = history.checkpoints(id);
        if (!rows)
            return { {}, userError(rows.error()) };
        until = stepOf(*rows, checkpoint);
    }
    std::string ns;
    for (const QString& node : path) {
        auto tasks = history.tasks(id, ns);
        if (!tasks)
            return { {}, userError(tasks.error()) };
        const history::TaskRow* task = lastTaskOf(*tasks, utf8(node), until);
        if (task == nullptr)
            return answer; // the subgraph did not run
        const std::string plain = ns + (ns.empty() ? "" : "|") + utf8(node);
        ns = plain + ":" + task->task.value;
        const auto own = history.checkpoints(id, ns);
        if (own && own->empty()) // one that remembers has a single history, without the task in its name
            if (const auto kept = history.checkpoints(id, plain); kept && !kept->empty())
                ns = plain;
        until = std::numeric_limits<std::int64_t>::max();
    }
    auto checkpoints = history.checkpoints(id, ns);
    auto tasks = history.tasks(id, ns);
    if (!checkpoints || !tasks)
        return { {}, userError(!checkpoints ? checkpoints.error() : tasks.error()) };
    for (auto row = checkpoints->rbegin(); row != checkpoints->rend(); ++row)
        answer.value.checkpoints.push_back(checkpointRow(*row));
    for (const history::TaskRow& row : *tasks)
        if (row.node.value != graph::kStart)
            answer.value.tasks.push_back(taskRow(row));
    return answer;
}

namespace {

// The channels whose values JSON cannot hold: dates, sets, objects of classes.
QStringList typedChannels(const Value& stored, const Value& shown)
{
    QStringList names;
    if (stored.isMap() && shown.isMap())
        for (const auto& [name, value] : stored.asMap())
            if (name.isString() && value != shown[name.asString()])
                names << text(name.asString());
    return names;
}

} // namespace

Answer<StateView> readState(workbench::Workbench& workbench, const QString& thread, const QString& checkpoint,
                            const QString& base)
{
    engine::StateAddress at;
    at.thread = ThreadId(utf8(thread));
    if (!checkpoint.isEmpty())
        at.checkpoint = CheckpointId(utf8(checkpoint));
    auto snapshot = workbench.states().state(at);
    if (!snapshot) // a changed graph cannot interpret the state, but the file alone still tells much
        snapshot = workbench.history().state(at.thread, "", at.checkpoint);
    if (!snapshot)
        return { {}, userError(snapshot.error()) };
    Answer<StateView> answer;
    StateView& view = answer.value;
    view.thread = thread;
    view.checkpoint = snapshot->config.checkpoint ? text(snapshot->config.checkpoint->value) : QString();
    view.values = checkpoint::plain(snapshot->values);
    view.typed = typedChannels(snapshot->values, view.values);
    view.parentValues = Value::map();
    view.next = nodeNames(snapshot->next);
    view.step = snapshot->metadata ? static_cast<int>(snapshot->metadata->intOr("step", 0)) : 0;
    view.tasks = taskRows(*snapshot, view.step);
    for (const Value& interrupt : snapshot->interrupts)
        view.interrupts.push_back(checkpoint::plain(interrupt));
    if (snapshot->parent && snapshot->parent->checkpoint)
        view.parent = text(snapshot->parent->checkpoint->value);
    view.isParent = base.isEmpty() || base == view.parent;
    const QString compared = base.isEmpty() ? view.parent : base;
    if (!compared.isEmpty()) {
        at.checkpoint = CheckpointId(utf8(compared));
        auto parent = workbench.history().state(at.thread, "", at.checkpoint);
        if (parent) {
            view.parentValues = checkpoint::plain(parent->values);
            view.parentStep = parent->metadata ? static_cast<int>(parent->metadata->intOr("step", 0)) : 0;
        }
    }
    return answer;
}

} // namespace sg::ui
