#pragma once

#include <string>
#include <string_view>

namespace sg::expressions {

// Returns the program with numbers, field names and plain strings made equal: programs with one shape all
// compile, or all fail for the same reason at the same line. A program in which such a part decides whether
// it compiles (a constant divisor, a module's path) is its own shape.
std::string programShape(std::string_view program);

} // namespace sg::expressions
