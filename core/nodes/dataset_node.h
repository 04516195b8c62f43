#pragma once

#include "core/engine/node_body.h"
#include "core/nodes/node_catalog.h"

#include <memory>
#include <string>

namespace sg::nodes {

// Brings a dataset into the thread's session and writes its path there to `channel`.
struct DatasetChoice {
    std::string dataset; // its id; empty: the channel `from` holds it
    std::string from;
    std::string channel;
};
std::unique_ptr<engine::NodeBody> makeDatasetBody(std::shared_ptr<const NodeWorld> world,
                                                  DatasetChoice choice);

} // namespace sg::nodes
