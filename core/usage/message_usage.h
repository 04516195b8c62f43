#pragma once

#include "core/base/value.h"

#include <cstdint>
#include <string>
#include <vector>

namespace sg::usage {

// One answer of a model.
struct ModelCall {
    std::string id; // of the message; empty: it has none
    std::string model; // empty: it does not say
    std::int64_t input = 0; // tokens
    std::int64_t output = 0;
};

// Of the messages in a value, wherever they stand in it: LangChain's own objects, and their forms as plain
// data. A message that says nothing of tokens is none.
std::vector<ModelCall> callsIn(const Value& value);

} // namespace sg::usage
