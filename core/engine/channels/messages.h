#pragma once

#include "core/base/value.h"
#include "core/engine/engine_error.h"

#include <optional>

namespace sg {
class Random;
}

namespace sg::engine {

// LangGraph's add_messages: a message whose id is there already replaces it in place, a RemoveMessage takes
// one away, all else is appended; plain forms ({"role", "content"}, ["user", "hi"], "hi") become messages.
std::optional<EngineError> addMessages(Value& value, Value write, Random& random);

} // namespace sg::engine
