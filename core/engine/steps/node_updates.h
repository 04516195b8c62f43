#pragma once

#include "core/engine/compile/write.h"
#include "core/engine/steps/task_end.h"
#include "core/engine/steps/writers.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sg::engine {

// Appends the state updates and gotos in a node's result to `writes`. The end is Done or, with nothing
// appended, Failed, or Command if the result is meant for an outer graph.
TaskEnd addUpdatesAndGotos(const WriterScene& scene, const Value& returned, Writes& writes);

// Returns Command.update as channel → value.
std::vector<std::pair<std::string, Value>> updateEntries(const Value& update);
Write gotoWrite(const CompiledGraph& graph, const std::string& node, Value value);

} // namespace sg::engine
