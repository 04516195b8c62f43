#pragma once

#include "core/base/value.h"
#include "core/engine/failure.h"
#include "core/graph/graph.h"

#include <optional>

namespace sg {
class Random;
}

namespace sg::engine {

// value = reducer(value, write), with Python's rules and errors (1 + [] is a TypeError). Appends in place
// where `value` is the only owner of its list. Message ids that are missing come from `random`.
std::optional<Failure> reduce(graph::Reducer reducer, Value& value, Value write, Random& random);

// What the channel starts from: the zero of the reducer's type, or of the default's; nullopt: nothing.
std::optional<Value> initialValue(const graph::Channel& channel);

} // namespace sg::engine
