#pragma once

#include "core/base/value.h"
#include "core/engine/node_body.h"

#include <memory>
#include <string>

namespace sg::nodes {

// Asks a person `question` and writes the answer to `channel`; without a channel the answer is the update.
std::unique_ptr<engine::NodeBody> makeHumanBody(Value question, std::string channel);

} // namespace sg::nodes
