#pragma once

#include "core/engine/compile/write.h"
#include "core/engine/steps/task_end.h"
#include "core/engine/steps/writers.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sg::engine {

// The state updates and the gotos in what a node returned, appended to `writes`. Done; or, with nothing
// appended, Failed, or Command where it is meant for an outer graph.
TaskEnd addUpdatesAndGotos(const WriterScene& scene, const Value& returned, Writes& writes);

// Command.update as channel → value.
std::vector<std::pair<std::string, Value>> updateEntries(const Value& update);
Write gotoWrite(const CompiledGraph& graph, const std::string& node, Value value);

} // namespace sg::engine
