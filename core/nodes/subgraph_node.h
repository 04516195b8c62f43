#pragma once

#include "core/engine/node_body.h"
#include "core/nodes/jq_programs.h"

#include <memory>
#include <optional>
#include <string>

namespace sg::nodes {

struct SubgraphMapping {
    std::string in; // the subgraph's input from the node's
    std::string out; // the update from {"state", "result"}
    std::optional<std::int64_t> calls; // so many runs one after another; the result is a list then
};

// A node whose subgraph has channels of its own. (Without a mapping the subgraph itself is the node.)
std::unique_ptr<engine::NodeBody> makeSubgraphBody(std::shared_ptr<JqPrograms> programs,
                                                   SubgraphMapping mapping);

} // namespace sg::nodes
