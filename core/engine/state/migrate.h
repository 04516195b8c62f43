#pragma once

#include "core/checkpoint/checkpoint.h"
#include "core/engine/compile/compiled_graph.h"

namespace sg::engine {

// Brings a checkpoint that an older LangGraph wrote to today's channels, as LangGraph does when it reads one.
void migrateCheckpoint(checkpoint::Checkpoint& checkpoint, const CompiledGraph& graph);

} // namespace sg::engine
