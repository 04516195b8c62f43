#pragma once

#include "core/engine/node_body.h"
#include "core/nodes/jq_programs.h"
#include "core/nodes/node_catalog.h"

#include <memory>

namespace sg::nodes {

// Sends messages to a chat model and writes its answer.
std::unique_ptr<engine::NodeBody> makeLlmBody(std::shared_ptr<const NodeWorld> world,
                                              std::shared_ptr<JqPrograms> programs, const ValueMap& settings);

} // namespace sg::nodes
