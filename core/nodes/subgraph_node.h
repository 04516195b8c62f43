#pragma once

#include "core/engine/node_body.h"
#include "core/nodes/jq_programs.h"

#include <memory>
#include <optional>
#include <string>

namespace sg::nodes {

struct SubgraphMapping {
    std::string in; // jq: makes the subgraph's input of the node's
    std::string out; // jq: makes the update of {"state", "result"}
    std::optional<std::int64_t> calls; // this many runs one after another, whose result is a list
};

// Makes a node whose subgraph has channels of its own. Without a mapping the subgraph itself is the node.
std::unique_ptr<engine::NodeBody> makeSubgraphBody(std::shared_ptr<JqPrograms> programs,
                                                   SubgraphMapping mapping);

} // namespace sg::nodes
