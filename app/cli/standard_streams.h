#pragma once

#include <cstdio>
#include <string>

namespace sg::cli {

// Prints a line to stdout or stderr in one piece.
void printLine(std::FILE* stream, const std::string& text);

// Returns why stdout did not take all that was written; empty: it did. A reader that left is no problem.
std::string stdoutProblem();

} // namespace sg::cli
