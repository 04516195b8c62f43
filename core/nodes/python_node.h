#pragma once

#include "core/base/relative_path.h"
#include "core/engine/node_body.h"
#include "core/nodes/node_catalog.h"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sg::nodes {

struct PythonFunction {
    RelativePath file;
    std::string function;
    std::optional<std::chrono::milliseconds> timeout; // else the graph's
    bool keepsFailed = false; // a failed attempt's changes to the session stay for the next
    std::vector<std::string> requirements{}; // beside the graph's; of a node with a session of its own
};

// A function of a code file, called in the thread's session: a node, a branch or an error handler.
std::unique_ptr<engine::NodeBody> makePythonBody(std::shared_ptr<const NodeWorld> world,
                                                 PythonFunction function);

} // namespace sg::nodes
