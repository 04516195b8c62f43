#pragma once

#include <string>
#include <string_view>

namespace sg::expressions {

// The program with its numbers, field names and plain strings made alike: of two programs with one shape
// both compile, or both fail for the same reason at the same line. A program in which one of these decides
// whether it compiles (a constant divisor, a module's path) is its own shape.
std::string programShape(std::string_view program);

} // namespace sg::expressions
