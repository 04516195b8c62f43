#pragma once

#include "core/base/result.h"
#include "core/base/value.h"
#include "core/checkpoint/checkpoint_store.h"

namespace sg::workbench {

// The channels that a checkpoint stores as changes, rebuilt from its ancestors' writes and set in `values`:
// lists grow, messages replace those of their id. Only its graph knows another reducer; what that would have
// made of the writes is not told here.
Result<void> addChangedChannels(checkpoint::CheckpointStore& store,
                                const checkpoint::CheckpointRecord& record, ValueMap& values);

// The state's channels as they are stored, rebuilt where that is as changes.
Result<Value> storedValues(checkpoint::CheckpointStore& store, const checkpoint::CheckpointRecord& record);

} // namespace sg::workbench
