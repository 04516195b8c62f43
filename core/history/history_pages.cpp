#include "core/history/history_pages.h"

#include "core/history/history_rows.h"
#include "core/history/inert_state.h"

#include <algorithm>
#include <unordered_map>

namespace sg::history {
namespace {

constexpr std::int64_t kAddedMeanwhile = 1000; // that may be added between two calls

using checkpoint::OutlineRecord;

CheckpointRow rowOf(const checkpoint::CheckpointRecord& record)
{
    CheckpointRow row;
    row.id = record.ref.id;
    row.parent = record.parent;
    row.ns = record.ref.ns;
    row.step = record.metadata.step;
    row.source = record.metadata.source;
    row.next = pendingNodes(record.checkpoint);
    row.createdAt = record.checkpoint.timestamp;
    row.problem = record.problem;
    return row;
}

// The attempts of a task become one row: the last, with the start of the first.
void addRecorded(const OutlineRecord& outline, std::vector<TaskRow>& rows)
{
    const auto first = static_cast<std::ptrdiff_t>(rows.size());
    for (const checkpoint::TaskRecord& record : outline.tasks) {
        const auto known = std::find_if(rows.begin() + first, rows.end(),
                                        [&](const TaskRow& row) { return row.task == record.task; });
        if (known == rows.end()) {
            rows.push_back(recordedRow(record));
            continue;
        }
        addAttempt(*known, record);
    }
}

// Tasks that other programs ran have left writes, but no times.
void addUnrecorded(const OutlineRecord& outline, std::vector<TaskRow>& rows)
{
    if (!outline.record.problem.empty() || outline.record.writes.empty())
        return;
    const bool isCopy = outline.record.metadata.source == checkpoint::Source::Fork && !outline.tasks.empty();
    for (const engine::StateTask& task : inertSnapshot(outline.record).tasks) {
        const bool isKnown =
            std::ranges::find(outline.tasks, task.id, &checkpoint::TaskRecord::task) != outline.tasks.end();
        if (task.id.empty() || isKnown)
            continue;
        rows.push_back(unrecordedRow(outline.record, task));
        // A run went on from a copy. This task did not run: its writes were copied.
        if (isCopy && rows.back().outcome == TaskOutcome::Done)
            rows.back().outcome = TaskOutcome::Cached;
    }
}

} // namespace

Result<HistoryPages> HistoryPages::open(const std::filesystem::path& database)
{
    auto outline = checkpoint::ThreadOutline::open(database);
    if (!outline)
        return std::move(outline.error());
    return HistoryPages(std::move(*outline));
}

Result<HistoryPage> HistoryPages::newest(const ThreadId& thread, const std::string& ns, std::int64_t limit)
{
    auto before = m_outline.before(thread, ns, limit);
    if (!before)
        return std::move(before.error());
    return page(thread, ns, *before, limit + kAddedMeanwhile);
}

Result<HistoryPage> HistoryPages::page(const ThreadId& thread, const std::string& ns,
                                       const std::optional<CheckpointId>& after, std::int64_t limit)
{
    auto records = m_outline.read(thread, ns, after, limit + 1); // one more tells whether there are more
    if (!records)
        return std::move(records.error());
    HistoryPage page;
    page.isLast = std::ssize(*records) <= limit;
    if (!page.isLast)
        records->pop_back();
    page.checkpoints.reserve(records->size());
    page.tasks.reserve(records->size());
    for (const OutlineRecord& outline : *records) {
        page.checkpoints.push_back(rowOf(outline.record));
        addRecorded(outline, page.tasks);
        addUnrecorded(outline, page.tasks);
    }
    // The newest checkpoint shows what is to run now, as History::state() does.
    if (page.isLast && !records->empty() && records->back().record.problem.empty())
        page.checkpoints.back().next = unfinishedNodes(inertSnapshot(records->back().record));
    if (auto added = addWriters(thread, ns, *records, page); !added)
        return std::move(added.error());
    return page;
}

// A checkpoint's writers are stored with its parent, which may be on an earlier page.
Result<void> HistoryPages::addWriters(const ThreadId& thread, const std::string& ns,
                                      const std::vector<OutlineRecord>& records, HistoryPage& page)
{
    std::unordered_map<std::string, const OutlineRecord*> byId;
    byId.reserve(records.size());
    for (const OutlineRecord& outline : records)
        byId.emplace(outline.record.ref.id.value, &outline);
    for (CheckpointRow& row : page.checkpoints) {
        if (row.source != checkpoint::Source::Loop || !row.parent)
            continue;
        if (const auto parent = byId.find(row.parent->value); parent != byId.end()) {
            row.after = nodesThatWrote(parent->second->record.writes);
            continue;
        }
        auto writes = m_outline.writersAt({ thread, ns, *row.parent });
        if (!writes)
            return std::move(writes.error());
        row.after = nodesThatWrote(*writes);
    }
    return {};
}

Result<std::int64_t> HistoryPages::count(const ThreadId& thread, const std::string& ns)
{
    return m_outline.count(thread, ns);
}

Result<std::vector<std::string>> HistoryPages::namespaces(const ThreadId& thread, std::size_t limit)
{
    return m_outline.namespaces(thread, limit);
}

} // namespace sg::history
