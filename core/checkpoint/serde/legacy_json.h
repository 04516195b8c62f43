#pragma once

#include "core/base/value.h"

namespace sg::checkpoint {

// The values of rows of type "json" (LangGraph before its MessagePack serializer): objects stand there as
// envelopes
// {"lc": 2, "type": "constructor", "id": [module…, class], "method", "args", "kwargs"}. Each becomes the Ext
// that LangGraph writes today for the same object; LangChain's {"lc": 1, …} messages too; all else is left as
// it is.
Value withoutEnvelopes(const Value& value);

} // namespace sg::checkpoint
