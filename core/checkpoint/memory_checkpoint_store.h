#pragma once

#include "core/checkpoint/checkpoint_store.h"

#include <memory>

namespace sg::checkpoint {

std::unique_ptr<CheckpointStore> makeMemoryCheckpointStore();

} // namespace sg::checkpoint
