#pragma once

#include "core/agents/permissions.h"
#include "core/base/relative_path.h"
#include "core/engine/node_body.h"
#include "core/nodes/node_catalog.h"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sg::nodes {

struct PythonFunction {
    RelativePath file;
    std::string function;
    std::optional<std::chrono::milliseconds> timeout; // else the graph's
    bool keepsFailed = false; // changes of a failed attempt stay in the session for the next
    enum class Parallel {
        Alone, // it runs alone in the thread's interpreter, as branches and error handlers do
        Fork, // where its superstep has several tasks, each runs in a fork of the interpreter
        ForkKeepingNames,
    };
    Parallel parallel = Parallel::Alone;
    std::vector<std::string> requirements{}; // added to the graph's; for a node with a session of its own
    std::string_view appended{}; // code of ours after the file's, which has `function`; constant
    std::string tool{}; // of an agent, whose permissions hold for the code; empty: it is none
    agents::Permissions permissions{};
    std::string role{}; // whose limits and secrets its session has; empty: the graph's
    bool isFileless = false; // the code of ours is all there is; `file` is its name in tracebacks
};

// Makes a node, branch or error handler of a function in a code file, called in the thread's session.
std::unique_ptr<engine::NodeBody> makePythonBody(std::shared_ptr<const NodeWorld> world,
                                                 PythonFunction function);

} // namespace sg::nodes
