#include "core/checkpoint/checkpoint_store.h"

#include "core/checkpoint/serde/checkpoint_codec.h"

namespace sg::checkpoint {

Result<void> CheckpointStore::put(const CheckpointRef& ref, const std::optional<CheckpointId>& parent,
                                  const Checkpoint& checkpoint, const CheckpointMetadata& metadata)
{
    // The checkpoint is encoded here, before anything waits for the writer.
    return putEncoded(ref, parent, { encodeCheckpoint(checkpoint), encodeMetadata(metadata) });
}

Result<std::optional<CheckpointRecord>> CheckpointStore::look(const ThreadId& thread, const std::string& ns,
                                                              const std::optional<CheckpointId>& id)
{
    CheckpointQuery query;
    query.thread = thread;
    query.ns = ns;
    query.id = id;
    query.limit = 1;
    query.isLook = true;
    std::optional<CheckpointRecord> found;
    auto listed = list(query, [&](const CheckpointRecord& record) {
        found = record;
        return false;
    });
    if (!listed)
        return std::move(listed.error());
    if (found && !found->problem.empty())
        return Error{ Errc::Corrupt, found->problem };
    return found;
}

} // namespace sg::checkpoint
