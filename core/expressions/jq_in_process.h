#pragma once

#include "core/expressions/jq_evaluator.h"

namespace sg::expressions {

// Runs libjq in this process, for tests and the conformance runner, whose programs are known. It must never
// run a graph from outside: a program sees this process's environment ($ENV), cannot be stopped at its
// deadline (limits are checked between results only) and can use all of its memory.
std::unique_ptr<JqEvaluator> makeJqInProcess(std::vector<std::string> programs, JqLimits limits = {});

} // namespace sg::expressions
