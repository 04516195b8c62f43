#pragma once

#include "core/base/value.h"
#include "core/engine/node_body.h"
#include "core/nodes/jq_programs.h"

#include <memory>
#include <string>

namespace sg::nodes {

// Asks a person `question`, or the output of `program` for the node's input, and writes the answer to
// `channel`; without a channel the answer is the update.
struct HumanQuestion {
    Value question;
    std::string program; // jq; "": none
    std::string channel;
};
std::unique_ptr<engine::NodeBody> makeHumanBody(std::shared_ptr<JqPrograms> programs, HumanQuestion question);

} // namespace sg::nodes
