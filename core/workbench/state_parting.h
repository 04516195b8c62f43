#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/checkpoint/checkpoint_store.h"

#include <cstddef>
#include <optional>
#include <span>

namespace sg::workbench {

// A way through a thread: checkpoints of its own graph, oldest first.
struct ThreadWay {
    ThreadId thread;
    std::span<const CheckpointId> checkpoints;
};

// The first place at which the states of two ways differ; none where the shorter one is equal throughout. A
// checkpoint that is on both is not read. One that cannot be read differs from every other.
Result<std::optional<std::size_t>> findParting(checkpoint::CheckpointStore& store, const ThreadWay& a,
                                               const ThreadWay& b);

} // namespace sg::workbench
