#pragma once

#include "core/base/value.h"

namespace sg::checkpoint {

// Rows of type "json" (LangGraph before its MessagePack serializer) hold objects as envelopes {"lc": 2,
// "type": "constructor", "id": [module…, class], "method", "args", "kwargs"}. This replaces each, and
// LangChain's {"lc": 1, …} messages, by the Ext that LangGraph writes today, and leaves all else as it is.
Value withoutEnvelopes(const Value& value);

} // namespace sg::checkpoint
