#include "core/checkpoint/checkpoint_store.h"

#include "core/checkpoint/serde/checkpoint_codec.h"

namespace sg::checkpoint {

Result<void> CheckpointStore::put(const CheckpointRef& ref, const std::optional<CheckpointId>& parent,
                                  const Checkpoint& checkpoint, const CheckpointMetadata& metadata)
{
    // The checkpoint is encoded here, before anything waits for the writer.
    return putEncoded(ref, parent, { encodeCheckpoint(checkpoint), encodeMetadata(metadata) });
}

} // namespace sg::checkpoint
