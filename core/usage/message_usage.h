#pragma once

#include "core/base/value.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sg::usage {

// A model call, described by the answer message that it returned.
struct ModelCall {
    std::string id; // the message's; empty: it has none
    std::string model; // empty: unknown
    std::int64_t input = 0; // tokens
    std::int64_t output = 0;
    std::int64_t cacheRead = 0; // of the input
    std::int64_t cacheWrite = 0;
};

// Returns the calls that messages anywhere in a value describe, as LangChain's own objects or as plain data.
// Messages without token counts are no calls.
std::vector<ModelCall> callsIn(const Value& value);

} // namespace sg::usage
