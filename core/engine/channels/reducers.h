#pragma once

#include "core/base/value.h"
#include "core/engine/failure.h"
#include "core/graph/graph.h"

#include <optional>

namespace sg {
class Random;
}

namespace sg::engine {

// Computes value = reducer(value, write) with Python's rules and errors (1 + [] is a TypeError). It appends
// in place if `value` is the only owner of its list. Missing message ids come from `random`.
std::optional<Failure> reduce(graph::Reducer reducer, Value& value, Value write, Random& random);

// Returns what the channel starts from: its default, else the zero of the reducer's type; nullopt: nothing.
std::optional<Value> initialValue(const graph::Channel& channel);

} // namespace sg::engine
