#pragma once

#include "core/base/value.h"
#include "core/engine/out/run_context.h"

#include <string>

// The stream mode "messages" tells of messages that a node returns, each once; those of a chat model it has
// told of in pieces before.
namespace sg::engine {

std::string messageId(const Value& message); // empty: it has none, or is no message

// The messages of a node's input: it did not make them.
void noteMessages(const Value& input, SeenMessages& seen);

// Messages in what a node returned, alone, in lists and one level down in maps, that nobody told of. Those
// that have no id get one, so that the stream and the state agree.
ValueList newMessages(Value& returned, SeenMessages& seen, Random& random);

} // namespace sg::engine
