#pragma once

#include "core/engine/node_body.h"
#include "core/nodes/jq_programs.h"

#include <memory>
#include <string>

namespace sg::nodes {

// The node, branch or error handler that one jq program is: input in, update or route out.
std::unique_ptr<engine::NodeBody> makeJqBody(std::shared_ptr<JqPrograms> programs, std::string program);

// How a program's error is told as a node's failure.
engine::Failure jqFailure(const Error& error);

} // namespace sg::nodes
