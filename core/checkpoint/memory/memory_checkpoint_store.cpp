#include "core/checkpoint/memory_checkpoint_store.h"

#include "core/checkpoint/memory/memory_run_log.h"
#include "core/checkpoint/metadata_filter.h"
#include "core/checkpoint/serde/typed_value.h"
#include "core/checkpoint/task_writes.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>

namespace sg::checkpoint {

namespace {

class MemoryCheckpointStore final : public CheckpointStore {
public:
    Result<std::optional<CheckpointRecord>> get(const ThreadId& thread, const std::string& ns,
                                                const std::optional<CheckpointId>& id) override;
    Result<void> list(const CheckpointQuery& query,
                      const std::function<bool(const CheckpointRecord&)>& visit) override;
    Result<std::vector<ThreadSummary>> threads() override;
    Result<void> put(const CheckpointRef& ref, const std::optional<CheckpointId>& parent,
                     const Checkpoint& checkpoint, const CheckpointMetadata& metadata) override;
    Result<void> putWrites(const CheckpointRef& ref, const std::vector<PendingWrite>& writes) override;
    Result<void> putRecord(const CheckpointRecord& record) override;
    Result<void> deleteThread(const ThreadId& thread) override;
    Result<void> together(const std::function<Result<void>()>& work) override;
    RunLog& runLog() override { return m_runLog; }

private:
    using Place = std::pair<std::string, CheckpointId>; // namespace, id
    using WriteRows = std::map<std::pair<TaskId, std::int64_t>, PendingWrite>;
    using SharedRef = std::shared_ptr<const CheckpointRef>;
    struct Thread {
        std::map<Place, CheckpointRecord> checkpoints; // without writes
        std::map<Place, WriteRows> writes;
    };

    [[nodiscard]] CheckpointRecord withWrites(const Thread& thread, const CheckpointRecord& record) const;
    WriteRows& rowsOf(const CheckpointRef& ref);
    void keep(const SharedRef& ref, WriteRows& rows, PendingWrite row, bool replaces); // noted for undoing
    [[nodiscard]] std::vector<CheckpointRef> matching(const CheckpointQuery& query) const;

    std::recursive_mutex m_mutex; // together() holds it while its work calls the other functions
    // guarded by m_mutex
    std::map<ThreadId, Thread> m_threads;
    UndoList m_undo;
    MemoryRunLog m_runLog{ m_mutex, m_undo };
};

CheckpointRecord MemoryCheckpointStore::withWrites(const Thread& thread, const CheckpointRecord& record) const
{
    CheckpointRecord whole = record;
    if (const auto rows = thread.writes.find({ record.ref.ns, record.ref.id }); rows != thread.writes.end()) {
        for (const auto& [key, write] : rows->second)
            whole.writes.push_back(write);
        std::ranges::sort(whole.writes, {}, [](const PendingWrite& write) {
            return std::tie(write.taskPath, write.taskId.value, write.index);
        });
    }
    return whole;
}

Result<std::optional<CheckpointRecord>> MemoryCheckpointStore::get(const ThreadId& thread,
                                                                   const std::string& ns,
                                                                   const std::optional<CheckpointId>& id)
{
    const std::lock_guard lock(m_mutex);
    std::optional<CheckpointRecord> found;
    const auto ofThread = m_threads.find(thread);
    if (ofThread == m_threads.end())
        return found;
    const auto& checkpoints = ofThread->second.checkpoints;
    auto place = checkpoints.end();
    if (id) {
        place = checkpoints.find({ ns, *id });
    } else {
        const std::string behind = ns + '\0'; // the next namespace in order
        place = checkpoints.lower_bound({ behind, CheckpointId() });
        place = place == checkpoints.begin() ? checkpoints.end() : std::prev(place);
        if (place != checkpoints.end() && place->first.first != ns)
            place = checkpoints.end();
    }
    if (place != checkpoints.end())
        found = withWrites(ofThread->second, place->second);
    return found;
}

std::vector<CheckpointRef> MemoryCheckpointStore::matching(const CheckpointQuery& query) const
{
    std::vector<CheckpointRef> refs;
    for (const auto& [thread, data] : m_threads) {
        if (query.thread && *query.thread != thread)
            continue;
        for (const auto& [place, record] : data.checkpoints) {
            const bool matches = (!query.ns || *query.ns == place.first)
                && (!query.id || *query.id == place.second) && (!query.before || place.second < *query.before)
                && matchesMetadata(query.metadataFilter, record.metadata);
            if (matches)
                refs.push_back(record.ref);
        }
    }
    std::ranges::sort(refs, [](const CheckpointRef& a, const CheckpointRef& b) {
        return std::tie(b.id, a.thread, a.ns) < std::tie(a.id, b.thread, b.ns);
    });
    const bool isLimited = query.limit && *query.limit >= 0 && *query.limit < std::ssize(refs);
    if (isLimited)
        refs.resize(static_cast<std::size_t>(*query.limit));
    return refs;
}

Result<void> MemoryCheckpointStore::list(const CheckpointQuery& query,
                                         const std::function<bool(const CheckpointRecord&)>& visit)
{
    if (auto valid = checkFilterKeys(query.metadataFilter); !valid)
        return valid;
    const std::lock_guard lock(m_mutex);
    for (const CheckpointRef& ref : matching(query)) {
        auto record = get(ref.thread, ref.ns, ref.id); // the visitor may have removed it
        if (!record || !*record)
            continue;
        if (!query.withWrites)
            (*record)->writes.clear();
        if (!visit(**record))
            break;
    }
    return {};
}

Result<std::vector<ThreadSummary>> MemoryCheckpointStore::threads()
{
    const std::lock_guard lock(m_mutex);
    std::vector<ThreadSummary> summaries;
    for (const auto& [thread, data] : m_threads) {
        ThreadSummary summary{ thread, 0, {}, {} };
        for (const auto& [place, record] : data.checkpoints) { // in order of namespace and id
            if (!place.first.empty())
                break;
            ++summary.checkpoints;
            summary.head = place.second;
            summary.updatedAt = record.checkpoint.timestamp;
        }
        if (summary.checkpoints > 0)
            summaries.push_back(std::move(summary));
    }
    std::ranges::sort(summaries, [](const ThreadSummary& a, const ThreadSummary& b) {
        return std::tie(b.head, a.thread) < std::tie(a.head, b.thread);
    });
    return summaries;
}

Result<void> MemoryCheckpointStore::put(const CheckpointRef& ref, const std::optional<CheckpointId>& parent,
                                        const Checkpoint& checkpoint, const CheckpointMetadata& metadata)
{
    const std::lock_guard lock(m_mutex);
    const auto [place, isNew] = m_threads[ref.thread].checkpoints.try_emplace({ ref.ns, ref.id });
    CheckpointRecord& record = place->second;
    if (isNew)
        m_undo.note([this, ref] { m_threads[ref.thread].checkpoints.erase({ ref.ns, ref.id }); });
    else
        m_undo.note([this, before = record] {
            m_threads[before.ref.thread].checkpoints[{ before.ref.ns, before.ref.id }] = before;
        });
    record.ref = ref;
    record.parent = parent && !parent->empty() ? parent : std::nullopt;
    record.checkpoint = checkpoint;
    record.metadata = metadata;
    return {};
}

MemoryCheckpointStore::WriteRows& MemoryCheckpointStore::rowsOf(const CheckpointRef& ref)
{
    return m_threads[ref.thread].writes[{ ref.ns, ref.id }];
}

void MemoryCheckpointStore::keep(const SharedRef& ref, WriteRows& rows, PendingWrite row, bool replaces)
{
    const auto [place, isNew] = rows.try_emplace({ row.taskId, row.index });
    if (!isNew && !replaces)
        return;
    if (isNew)
        m_undo.note([this, ref, key = place->first] { rowsOf(*ref).erase(key); });
    else
        m_undo.note([this, ref, key = place->first, before = place->second] { rowsOf(*ref)[key] = before; });
    place->second = std::move(row);
}

Result<void> MemoryCheckpointStore::putWrites(const CheckpointRef& ref,
                                              const std::vector<PendingWrite>& writes)
{
    const std::lock_guard lock(m_mutex);
    const auto shared = std::make_shared<const CheckpointRef>(ref);
    WriteRows& rows = rowsOf(ref);
    for (const TaskWrites& task : writesByTask(writes)) {
        for (std::size_t i = 0; i < task.writes.size(); ++i) {
            PendingWrite row = task.writes[i];
            row.index = task.indexOf(i);
            row.typeTag = typeTagOf(row.value, row.typeTag);
            keep(shared, rows, std::move(row), task.replaces);
        }
    }
    return {};
}

Result<void> MemoryCheckpointStore::putRecord(const CheckpointRecord& record)
{
    const std::lock_guard lock(m_mutex);
    if (auto done = put(record.ref, record.parent, record.checkpoint, record.metadata); !done)
        return done;
    const auto shared = std::make_shared<const CheckpointRef>(record.ref);
    WriteRows& rows = rowsOf(record.ref);
    for (const PendingWrite& write : record.writes)
        keep(shared, rows, write, true);
    return {};
}

Result<void> MemoryCheckpointStore::deleteThread(const ThreadId& thread)
{
    const std::lock_guard lock(m_mutex);
    if (const auto found = m_threads.find(thread); found != m_threads.end()) {
        m_undo.note([this, thread, before = std::move(found->second)] { m_threads[thread] = before; });
        m_threads.erase(found);
    }
    m_runLog.deleteThread(thread);
    return {};
}

Result<void> MemoryCheckpointStore::together(const std::function<Result<void>()>& work)
{
    const std::lock_guard lock(m_mutex);
    m_undo.begin();
    auto done = work();
    m_undo.end(static_cast<bool>(done));
    return done;
}

} // namespace

std::unique_ptr<CheckpointStore> makeMemoryCheckpointStore()
{
    return std::make_unique<MemoryCheckpointStore>();
}

} // namespace sg::checkpoint
