#include "core/checkpoint/memory_checkpoint_store.h"

#include "core/checkpoint/memory/memory_run_log.h"
#include "core/checkpoint/metadata_filter.h"
#include "core/checkpoint/serde/checkpoint_codec.h"
#include "core/checkpoint/serde/typed_value.h"
#include "core/checkpoint/task_writes.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
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
    Result<void> putEncoded(const CheckpointRef& ref, const std::optional<CheckpointId>& parent,
                            const EncodedCheckpoint& checkpoint) override;
    Result<void> putWrites(const CheckpointRef& ref, const std::vector<PendingWrite>& writes) override;
    Result<void> putTask(const CheckpointRef& ref, const NewWrites& task) override;
    Result<void> putRecord(const CheckpointRecord& record) override;
    Result<void> deleteThread(const ThreadId& thread) override;
    Result<void> together(const std::function<Result<void>()>& work) override;
    [[nodiscard]] bool isInMemory() const override { return true; }
    RunLog& runLog() override { return m_runLog; }

private:
    struct WriteRow {
        std::string taskPath;
        std::string channel;
        TypedBlob value;
    };
    struct Row {
        bool stored = false; // false: only writes have come so far
        std::optional<CheckpointId> parent;
        EncodedCheckpoint checkpoint; // encoded as in a file, so that nobody shares its values
        std::map<std::pair<TaskId, std::int64_t>, WriteRow> writes;
    };
    using Rows = std::map<CheckpointId, Row>;
    using Thread = std::map<std::string, Rows>; // by namespace

    static Result<CheckpointRecord> decoded(const CheckpointRef& ref, const Row& row, bool withWrites);
    Row& rowOf(const CheckpointRef& ref);
    void keep(Row& row, const TaskId& task, std::int64_t index, WriteRow write, bool replaces);
    [[nodiscard]] std::vector<CheckpointRef> matching(const CheckpointQuery& query) const;

    std::recursive_mutex m_mutex; // recursive: together() holds it while its work calls the other functions
    // guarded by m_mutex
    std::map<ThreadId, Thread> m_threads;
    UndoList m_undo; // its steps point to rows, which stay where they are until a step removes them
    MemoryRunLog m_runLog{ m_mutex, m_undo };
};

Result<CheckpointRecord> MemoryCheckpointStore::decoded(const CheckpointRef& ref, const Row& row,
                                                        bool withWrites)
{
    CheckpointRecord record;
    record.ref = ref;
    record.parent = row.parent;
    auto checkpoint = decodeCheckpoint("msgpack", row.checkpoint.blob);
    if (!checkpoint)
        return std::move(checkpoint.error());
    record.checkpoint = std::move(*checkpoint);
    auto metadata = decodeMetadata(row.checkpoint.metadata);
    if (!metadata)
        return std::move(metadata.error());
    record.metadata = std::move(*metadata);
    if (!withWrites)
        return record;
    for (const auto& [key, write] : row.writes) {
        auto value = loadsTyped(write.value.type, write.value.blob);
        if (!value)
            return std::move(value.error());
        record.writes.push_back(
            { key.first, write.taskPath, key.second, write.channel, std::move(*value), write.value.type });
    }
    std::ranges::sort(record.writes, {}, [](const PendingWrite& write) {
        return std::tie(write.taskPath, write.taskId.value, write.index);
    });
    return record;
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
    const auto ofNamespace = ofThread->second.find(ns);
    if (ofNamespace == ofThread->second.end())
        return found;
    const Rows& rows = ofNamespace->second;
    auto place = id ? rows.find(*id) : rows.end();
    if (!id)
        for (place = rows.end(); place != rows.begin();)
            if ((--place)->second.stored)
                break;
    if (place == rows.end() || !place->second.stored)
        return found;
    auto record = decoded({ thread, ns, place->first }, place->second, true);
    if (!record)
        return std::move(record.error());
    found = std::move(*record);
    return found;
}

std::vector<CheckpointRef> MemoryCheckpointStore::matching(const CheckpointQuery& query) const
{
    std::vector<CheckpointRef> refs;
    for (const auto& [thread, namespaces] : m_threads) {
        if (query.thread && *query.thread != thread)
            continue;
        for (const auto& [ns, rows] : namespaces) {
            if (query.ns && *query.ns != ns)
                continue;
            for (const auto& [id, row] : rows)
                if (row.stored && (!query.id || *query.id == id) && (!query.before || id < *query.before))
                    refs.push_back({ thread, ns, id });
        }
    }
    std::ranges::sort(refs, [](const CheckpointRef& a, const CheckpointRef& b) {
        return std::tie(b.id, a.thread, a.ns) < std::tie(a.id, b.thread, b.ns);
    });
    return refs;
}

Result<void> MemoryCheckpointStore::list(const CheckpointQuery& query,
                                         const std::function<bool(const CheckpointRecord&)>& visit)
{
    if (auto valid = checkFilterKeys(query.metadataFilter); !valid)
        return valid;
    const std::lock_guard lock(m_mutex);
    std::int64_t left = query.limit.value_or(-1);
    for (const CheckpointRef& ref : matching(query)) {
        if (left == 0)
            break;
        auto record = get(ref.thread, ref.ns, ref.id); // the visitor may have removed it
        if (!record)
            return std::move(record.error());
        if (!*record || !matchesMetadata(query.metadataFilter, (*record)->metadata))
            continue;
        --left;
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
    for (const auto& [thread, namespaces] : m_threads) {
        const auto root = namespaces.find("");
        if (root == namespaces.end())
            continue;
        ThreadSummary summary{ .thread = thread };
        for (const auto& [id, row] : root->second) {
            if (!row.stored)
                continue;
            ++summary.checkpoints;
            summary.head = id;
            summary.updatedAt = peekTimestamp(row.checkpoint.blob);
        }
        if (summary.checkpoints > 0)
            summaries.push_back(std::move(summary));
    }
    std::ranges::sort(summaries, [](const ThreadSummary& a, const ThreadSummary& b) {
        return std::tie(b.head, a.thread) < std::tie(a.head, b.thread);
    });
    return summaries;
}

MemoryCheckpointStore::Row& MemoryCheckpointStore::rowOf(const CheckpointRef& ref)
{
    Rows& rows = m_threads[ref.thread][ref.ns];
    const auto known = rows.size();
    const auto place = rows.try_emplace(rows.end(), ref.id); // a hint: ids usually grow
    if (rows.size() != known)
        m_undo.note([rows = &rows, place] { rows->erase(place); });
    return place->second;
}

Result<void> MemoryCheckpointStore::putEncoded(const CheckpointRef& ref,
                                               const std::optional<CheckpointId>& parent,
                                               const EncodedCheckpoint& checkpoint)
{
    const std::lock_guard lock(m_mutex);
    Row& row = rowOf(ref);
    if (row.stored)
        m_undo.note([row = &row, parent = row.parent, before = row.checkpoint] {
            row->parent = parent;
            row->checkpoint = before;
        });
    else
        m_undo.note([row = &row] { row->stored = false; });
    row.stored = true;
    row.parent = parent && !parent->empty() ? parent : std::nullopt;
    row.checkpoint = checkpoint;
    return {};
}

void MemoryCheckpointStore::keep(Row& row, const TaskId& task, std::int64_t index, WriteRow write,
                                 bool replaces)
{
    const auto [place, isNew] = row.writes.try_emplace({ task, index });
    if (!isNew && !replaces)
        return;
    if (isNew)
        m_undo.note([row = &row, place = place] { row->writes.erase(place); });
    else
        m_undo.note([place = place, before = place->second] { place->second = before; });
    place->second = std::move(write);
}

Result<void> MemoryCheckpointStore::putWrites(const CheckpointRef& ref,
                                              const std::vector<PendingWrite>& writes)
{
    const std::lock_guard lock(m_mutex);
    Row& row = rowOf(ref);
    for (const TaskWrites& task : writesByTask(writes)) {
        for (std::size_t i = 0; i < task.writes.size(); ++i) {
            const PendingWrite& write = task.writes[i];
            keep(row, write.taskId, task.indexOf(i),
                 { write.taskPath, write.channel, dumpsTyped(write.value, write.typeTag) }, task.replaces);
        }
    }
    return {};
}

Result<void> MemoryCheckpointStore::putTask(const CheckpointRef& ref, const NewWrites& task)
{
    const std::lock_guard lock(m_mutex);
    Row& row = rowOf(ref);
    const bool replaces = onlySpecial(task);
    std::int64_t place = 0;
    for (const auto& [channel, value] : task.writes) {
        const std::string& name = channel.asString();
        const std::int64_t index = specialIndex(name).value_or(place);
        ++place;
        keep(row, task.task, index, { task.path, name, dumpsTyped(value) }, replaces);
    }
    return {};
}

Result<void> MemoryCheckpointStore::putRecord(const CheckpointRecord& record)
{
    const std::lock_guard lock(m_mutex);
    if (auto done = put(record.ref, record.parent, record.checkpoint, record.metadata); !done)
        return done;
    Row& row = rowOf(record.ref);
    for (const PendingWrite& write : record.writes)
        keep(row, write.taskId, write.index,
             { write.taskPath, write.channel, dumpsTyped(write.value, write.typeTag) }, true);
    return {};
}

Result<void> MemoryCheckpointStore::deleteThread(const ThreadId& thread)
{
    const std::lock_guard lock(m_mutex);
    // The map's node itself is kept for the undo, so that pointers into it stay valid.
    auto removed = std::make_shared<std::map<ThreadId, Thread>::node_type>(m_threads.extract(thread));
    if (!removed->empty())
        m_undo.note([this, thread, removed] {
            m_threads.erase(thread); // what was stored since
            m_threads.insert(std::move(*removed));
        });
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
