#include "core/checkpoint/checkpoint_store.h"

#include "core/checkpoint/serde/checkpoint_codec.h"

namespace sg::checkpoint {

Result<void> CheckpointStore::putTask(const CheckpointRef& ref, const NewWrites& task)
{
    std::vector<PendingWrite> rows;
    rows.reserve(task.writes.size());
    for (const auto& [channel, value] : task.writes)
        rows.push_back(
            { task.task, task.path, static_cast<std::int64_t>(rows.size()), channel.asString(), value, {} });
    return putWrites(ref, rows);
}

Result<void> CheckpointStore::putEncoded(const CheckpointRef& ref, const std::optional<CheckpointId>& parent,
                                         const EncodedCheckpoint& checkpoint)
{
    auto decoded = decodeCheckpoint("msgpack", checkpoint.blob);
    if (!decoded)
        return std::move(decoded.error());
    auto metadata = decodeMetadata(checkpoint.metadata);
    if (!metadata)
        return std::move(metadata.error());
    return put(ref, parent, *decoded, *metadata);
}

} // namespace sg::checkpoint
