#pragma once

#include <string>
#include <string_view>

namespace sg::exchange {

// Returns the text of core/exchange/python/NAME.py, modules that exported projects contain unchanged.
std::string_view pythonSource(std::string_view name);

} // namespace sg::exchange
