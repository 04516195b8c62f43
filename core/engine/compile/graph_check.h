#pragma once

#include "core/engine/failure.h"
#include "core/graph/graph.h"

#include <optional>

namespace sg::engine {

// Finds what LangGraph refuses when a graph is built, in its order and words. Returns the first problem only;
// graph::validate() names them all, for people.
std::optional<Failure> checkGraph(const graph::Graph& graph);

} // namespace sg::engine
