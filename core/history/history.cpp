#include "core/history/history.h"

#include "core/checkpoint/thread_lock.h"
#include "core/checkpoint/thread_outline.h"
#include "core/history/history_rows.h"
#include "core/history/inert_state.h"

#include <algorithm>
#include <map>

namespace sg::history {
namespace {

// Returns the status of a thread with pending nodes, from its last run. The run's status does not count if
// the run died or the thread was changed after its end.
RunStatus endOfRun(const checkpoint::RunRecord& run, const std::string& updatedAt)
{
    const bool hasSaid = run.finishedAt && run.status != RunStatus::Unknown
        && run.status != RunStatus::Running && run.status != RunStatus::Done
        && updatedAt <= isoTime(*run.finishedAt);
    return hasSaid ? run.status : RunStatus::Unfinished;
}

// Returns nullopt if the state cannot be read; it then equals no other.
Result<std::optional<Value>> valuesAt(checkpoint::CheckpointStore& store, const ThreadId& thread,
                                      const CheckpointId& id)
{
    auto record = store.get(thread, "", id);
    if (!record)
        return checkpoint::isOfOneCheckpoint(record.error()) ? Result<std::optional<Value>>(std::nullopt)
                                                             : std::move(record.error());
    if (!*record)
        return Error{ Errc::NotFound, "the checkpoint " + id.value + " is not there any more" };
    auto values = storedValues(store, **record);
    if (!values)
        return std::optional<Value>();
    return std::optional(std::move(*values));
}

} // namespace

History::History(checkpoint::CheckpointStore& store, checkpoint::RunLog& log, std::filesystem::path database,
                 std::string name)
    : m_store(store)
    , m_log(log)
    , m_database(std::move(database))
    , m_name(std::move(name))
{
}

Result<std::vector<ThreadRow>> History::threads()
{
    auto summaries = m_store.threads();
    if (!summaries)
        return std::move(summaries.error());
    auto runs = m_log.lastRuns();
    if (!runs)
        return std::move(runs.error());
    std::map<ThreadId, checkpoint::RunRecord> last;
    for (checkpoint::RunRecord& run : *runs)
        last.insert_or_assign(run.thread, std::move(run));

    std::vector<ThreadRow> rows;
    for (const checkpoint::ThreadSummary& summary : *summaries) {
        ThreadRow row{ summary.thread, summary.checkpoints, summary.updatedAt, RunStatus::Unknown, {} };
        if (checkpoint::ThreadLock::isHeld(m_database, summary.thread) || m_store.isHeld(summary.thread)) {
            row.status = RunStatus::Running;
        } else {
            auto head = m_store.look(summary.thread, "", {});
            if (!head && !checkpoint::isOfOneCheckpoint(head.error()))
                return std::move(head.error());
            if (!head) {
                row.problem = head.error().message;
                row.status = RunStatus::Damaged;
            } else {
                row.status = *head ? restingStatus(**head) : RunStatus::Done;
            }
            const auto run = last.find(summary.thread);
            if (row.status == RunStatus::Unfinished && run != last.end())
                row.status = endOfRun(run->second, summary.updatedAt);
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

Result<void> History::bringHere(const std::optional<ThreadId>& thread)
{
    const auto done = m_store.bringHere(thread);
    return done ? Result<void>() : Result<void>(done.error());
}

Result<std::string> History::changeMark()
{
    return m_store.changeMark();
}

void History::giveUpWaiting()
{
    m_store.giveUpWaiting();
}

Result<std::vector<CheckpointRow>> History::checkpoints(const ThreadId& thread, const std::string& ns,
                                                        std::int64_t limit)
{
    std::vector<CheckpointRow> rows;
    std::map<CheckpointId, std::vector<NodeId>> wrote;
    checkpoint::CheckpointQuery query;
    query.thread = thread;
    query.ns = ns;
    query.isLook = true;
    query.limit = limit + 1; // one more: the last row's `after` is stored with its parent
    auto listed = m_store.list(query, [&](const checkpoint::CheckpointRecord& record) {
        CheckpointRow row;
        row.id = record.ref.id;
        row.parent = record.parent;
        row.ns = record.ref.ns;
        row.step = record.metadata.step;
        row.source = record.metadata.source;
        // The newest checkpoint shows what is to run now, as state() does.
        row.next = rows.empty() ? unfinishedNodes(inertSnapshot(record)) : pendingNodes(record.checkpoint);
        row.createdAt = record.checkpoint.timestamp;
        row.problem = record.problem;
        rows.push_back(std::move(row));
        wrote[record.ref.id] = nodesThatWrote(record.writes);
        return true;
    });
    if (!listed)
        return std::move(listed.error());
    for (CheckpointRow& row : rows) {
        const auto parent = row.parent ? wrote.find(*row.parent) : wrote.end();
        if (row.source == checkpoint::Source::Loop && parent != wrote.end())
            row.after = parent->second;
    }
    if (rows.size() > static_cast<std::size_t>(limit))
        rows.pop_back();
    return rows;
}

Result<std::vector<TaskRow>> History::tasks(const ThreadId& thread, const std::string& ns, std::int64_t limit)
{
    auto stored = m_log.tasksOf(thread);
    if (!stored)
        return std::move(stored.error());
    std::vector<TaskRow> rows;
    std::map<std::pair<CheckpointId, TaskId>, std::size_t> known;
    for (const checkpoint::TaskRecord& record : *stored) {
        if (record.checkpoint.ns != ns)
            continue;
        const auto [place, isNew] = known.try_emplace({ record.checkpoint.id, record.task }, rows.size());
        if (isNew) {
            rows.push_back(recordedRow(record));
            continue;
        }
        addAttempt(rows[place->second], record);
    }
    // Tasks that other programs ran have left writes, but no times.
    checkpoint::CheckpointQuery query;
    query.thread = thread;
    query.ns = ns;
    query.isLook = true;
    query.limit = limit;
    auto listed = m_store.list(query, [&](const checkpoint::CheckpointRecord& record) {
        if (!record.problem.empty())
            return true;
        for (const engine::StateTask& task : inertSnapshot(record).tasks) {
            if (task.id.empty() || known.contains({ record.ref.id, task.id }))
                continue;
            rows.push_back(unrecordedRow(record, task));
        }
        return true;
    });
    if (!listed)
        return std::move(listed.error());
    std::ranges::stable_sort(rows, {}, &TaskRow::checkpoint);
    return rows;
}

Result<engine::StateSnapshot> History::state(const ThreadId& thread, const std::string& ns,
                                             const std::optional<CheckpointId>& id)
{
    auto record = m_store.get(thread, ns, id);
    if (!record)
        return std::move(record.error());
    if (!*record && !id && !ns.empty())
        return Error{ Errc::NotFound,
                      "thread '" + thread.value + "' has no checkpoints in namespace '" + ns + "' in "
                          + m_name
                          + ". The tasks of its state name those of its subgraphs: sandglass state --thread "
                          + thread.value };
    if (!*record)
        return Error{ Errc::NotFound,
                      id ? "thread '" + thread.value + "' has no checkpoint " + id->value
                              + ". List them with: sandglass history --thread " + thread.value
                         : "thread '" + thread.value + "' has no checkpoints in " + m_name
                              + ". See all threads with: sandglass threads" };
    engine::StateSnapshot snapshot = inertSnapshot(**record);
    if (auto added = addChangedChannels(m_store, **record, snapshot.values.editMap()); !added)
        return std::move(added.error());
    if (!id) // finished tasks are not next; folding in their writes would need the graph's reducers
        snapshot.next = unfinishedNodes(snapshot);
    return snapshot;
}

Result<std::vector<SuperstepReasons>> History::explain(const ThreadId& thread, const std::string& ns,
                                                       const std::optional<CheckpointId>& id,
                                                       std::int64_t limit)
{
    return explainThread(m_store, thread, ns, id, limit);
}

Result<ValueTrace> History::trace(const ThreadId& thread, const std::vector<CheckpointId>& way,
                                  const std::string& pointer, std::size_t limit)
{
    const auto isHere = m_store.bringHere(thread);
    auto outline = checkpoint::ThreadOutline::open(m_database);
    return traceValue(m_store, thread, way, pointer, limit,
                      isHere && *isHere && outline ? &*outline : nullptr);
}

Result<std::optional<std::size_t>> History::parting(const ThreadWay& a, const ThreadWay& b)
{
    return findParting(m_store, a, b);
}

Result<graph::Graph> History::skeleton(const ThreadId& thread)
{
    return skeletonGraph(m_store, thread);
}

Watch History::watch(const ThreadId& thread, const std::string& program)
{
    const auto isHere = m_store.bringHere(thread);
    return { m_store, thread, program, expressions::findJqHelper(),
             isHere && *isHere ? m_database : std::filesystem::path() };
}

Result<std::vector<RunRow>> History::runs(const ThreadId& thread)
{
    auto runs = m_log.runs(thread);
    if (!runs)
        return std::move(runs.error());
    std::vector<RunRow> rows;
    for (checkpoint::RunRecord& run : *runs) {
        auto packages = m_log.packagesOf(run.id);
        if (!packages)
            return std::move(packages.error());
        rows.push_back({ std::move(run), std::move(*packages) });
    }
    return rows;
}

Result<std::optional<std::string>> History::graphAt(const ThreadId& thread, const CheckpointId& checkpoint)
{
    auto record = m_store.look(thread, "", checkpoint);
    if (!record)
        return std::move(record.error());
    auto runs = m_log.runs(thread);
    if (!runs)
        return std::move(runs.error());
    if (*record)
        for (const checkpoint::RunRecord& run : *runs)
            if (isoTime(run.startedAt) <= (*record)->checkpoint.timestamp)
                return m_log.graphOf(run.id);
    return std::optional<std::string>();
}

Result<std::optional<std::string>> History::graphOf(const RunId& run)
{
    return m_log.graphOf(run);
}

Result<std::vector<checkpoint::RunPackages>> History::packagesOf(const RunId& run)
{
    return m_log.packagesOf(run);
}

Result<std::vector<checkpoint::LogRecord>> History::log(const ThreadId& thread, std::int64_t limit)
{
    return m_log.logTail(thread, limit);
}

Result<std::vector<checkpoint::LogRecord>> History::logOf(const RunId& run, std::int64_t from,
                                                          std::int64_t limit)
{
    return m_log.logOf(run, from, limit);
}

Result<std::optional<std::size_t>> findParting(checkpoint::CheckpointStore& store, const ThreadWay& a,
                                               const ThreadWay& b)
{
    const std::size_t least = std::min(a.checkpoints.size(), b.checkpoints.size());
    for (std::size_t place = 0; place < least; ++place) {
        if (a.thread == b.thread && a.checkpoints[place] == b.checkpoints[place])
            continue;
        const auto left = valuesAt(store, a.thread, a.checkpoints[place]);
        if (!left)
            return left.error();
        const auto right = valuesAt(store, b.thread, b.checkpoints[place]);
        if (!right)
            return right.error();
        if (!*left || !*right || !(**left == **right))
            return std::optional(place);
    }
    return std::optional<std::size_t>();
}

} // namespace sg::history
