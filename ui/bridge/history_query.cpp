#include "ui/bridge/history_query.h"

#include "core/base/json.h"
#include "core/base/json_patch.h"
#include "core/checkpoint/serde/plain_data.h"
#include "ui/bridge/artifact_query.h"
#include "ui/bridge/overview_query.h"
#include "ui/bridge/row_conversion.h"
#include "ui/bridge/run_way.h"

#include <QSet>

namespace sg::ui {
namespace {

constexpr int kMostWaiting = 500;
constexpr int kMostCompared = 100'000; // checkpoints of a side
constexpr std::size_t kMostStates = 20'000; // that are read of a side

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
    row.node = nodeNames(snapshot.next).join(QStringLiteral(", ")); // a breakpoint holds it: nobody is asked
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
                                         text(origin.source), nodeNames(origin.writtenBy), origin.value,
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
        if (row.status != "interrupted" || answer.value.size() >= kMostWaiting)
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

// Equal nodes may have written other values.
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

} // namespace sg::ui
