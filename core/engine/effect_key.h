#pragma once

#include "core/engine/node_body.h"

#include <string>
#include <string_view>

namespace sg::engine {

// A name for something that a task does outside, such as a request to a service: another for each `effect` of
// a task, and the same whenever the task is done again, in a retry or after a crash. Who is told it can
// recognise what was done before.
std::string effectKey(const TaskInfo& task, std::string_view effect);

} // namespace sg::engine
