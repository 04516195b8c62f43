#pragma once

#include <cstdio>
#include <string>

namespace sg::cli {

// A line of stdout or stderr, at once.
void printLine(std::FILE* stream, const std::string& text);

// Why stdout did not take all that was written to it; empty: it did. A reader that went away is no problem.
std::string stdoutProblem();

} // namespace sg::cli
