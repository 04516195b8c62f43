#pragma once

#include "core/engine/node_body.h"
#include "core/nodes/jq_programs.h"
#include "core/nodes/node_catalog.h"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <variant>

namespace sg::mcp {
struct Tool;
struct ToolResult;
} // namespace sg::mcp

namespace sg::nodes {

// Makes the failure of a call; the message may hold what others wrote. It is tried again if that may help.
engine::Failure toolFailure(const char* type, const std::string& message, bool mayHelp = false);

// Calls a tool of a server for a task. What the tool asks a person is a question of the task.
struct ServerCall {
    std::string server;
    const mcp::Tool& tool;
    const Value& arguments;
    std::optional<std::chrono::milliseconds> timeout; // else the server's
    std::string id{}; // the call's, where a task makes several
};
std::variant<mcp::ToolResult, engine::Interrupted, engine::Failure>
callServer(const NodeWorld& world, const ServerCall& call, engine::TaskContext& context);

// Calls a tool of an MCP server of the graph.
struct ToolChoice {
    std::string server;
    std::string tool;
    std::string arguments; // jq: gives them as an object
    std::string channel; // takes the result: what is structured of it, else its text
    std::optional<std::chrono::milliseconds> timeout; // else the server's
};
std::unique_ptr<engine::NodeBody> makeToolBody(std::shared_ptr<const NodeWorld> world,
                                               std::shared_ptr<JqPrograms> programs, ToolChoice choice);

} // namespace sg::nodes
