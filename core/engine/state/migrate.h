#pragma once

#include "core/checkpoint/checkpoint.h"
#include "core/engine/compile/compiled_graph.h"

namespace sg::engine {

// Turns a checkpoint that an older LangGraph wrote into today's channels, as LangGraph does on reading one.
void migrateCheckpoint(checkpoint::Checkpoint& checkpoint, const CompiledGraph& graph);

} // namespace sg::engine
