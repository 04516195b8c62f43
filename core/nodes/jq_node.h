#pragma once

#include "core/engine/node_body.h"
#include "core/nodes/jq_programs.h"

#include <memory>
#include <string>

namespace sg::nodes {

// Makes a node, branch or error handler of one jq program, which turns the input into an update or a route.
std::unique_ptr<engine::NodeBody> makeJqBody(std::shared_ptr<JqPrograms> programs, std::string program);

// Turns a program's error into a node's failure.
engine::Failure jqFailure(const Error& error);

} // namespace sg::nodes
