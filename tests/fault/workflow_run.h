#pragma once

#include "core/checkpoint/checkpoint_store.h"
#include "core/engine/engine.h"
#include "tests/fault/random_workflow.h"

namespace sg::fault {

inline constexpr const char* kThread = "t";

// Starts the workflow on the store's thread, or goes on from what is stored there, and answers whatever it
// asks. Returns how it ended; Interrupted is never an end.
engine::RunResult runToEnd(const Workflow& workflow, checkpoint::CheckpointStore& store, Journal* journal,
                           ThreadPool* pool);

} // namespace sg::fault
