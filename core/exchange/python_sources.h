#pragma once

#include <string>
#include <string_view>

namespace sg::exchange {

// The text of core/exchange/python/NAME.py: modules that exported projects take along as they are.
std::string_view pythonSource(std::string_view name);

} // namespace sg::exchange
