#pragma once

#include "core/base/value.h"

#include <cstdint>
#include <string_view>

// Counts tokens where a server counts none: budgets must hold there, too. Four bytes of text are taken for
// one token, and a picture for a thousand. All of it is pure.
namespace sg::models {

std::int64_t textTokens(std::string_view text);
// Counts the content of a message and its calls.
std::int64_t estimatedTokens(const Value& message);

} // namespace sg::models
