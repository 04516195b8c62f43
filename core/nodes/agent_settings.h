#pragma once

#include "core/agents/output_schema.h"
#include "core/agents/permissions.h"
#include "core/agents/review.h"
#include "core/base/relative_path.h"
#include "core/graph/agent_rules.h"
#include "core/graph/included_graphs.h"
#include "core/nodes/http_node.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace sg::nodes {

// One entry of an agent's "tools".
struct PythonTools { // "nodes/tools.py", "nodes/tools.py:add"
    RelativePath file;
    std::string function; // empty: all public ones
};
struct SandboxTool { // "code_sandbox", "select_dataset", "list_datasets", "export_datasets"
    std::string name;
};
struct ServerTools { // "mcp:notes", "mcp:notes/add"
    std::string server;
    std::string tool; // as the server names it; empty: all of them
};
struct HttpTool { // {"http": {…}, "name": …, "parameters": …}
    HttpChoice choice;
    Value parameters; // JSON Schema of an object
};
struct GraphFileTool { // "research.graph.json"
    graph::GraphTool graph;
    Value parameters; // JSON Schema of an object; null: the graph's input
};
struct ToolEntry {
    std::variant<PythonTools, SandboxTool, ServerTools, HttpTool, GraphFileTool> from;
    std::string name{}; // in place of its own
    std::string description{}; // the same
    std::optional<bool> returnsDirectly{};
    std::optional<std::chrono::milliseconds> timeout{};
};

// The names of the sandbox's own tools, which no tool from outside bears.
std::set<std::string> sandboxToolNames();

struct AgentSettings {
    ValueMap model; // settings of an llm node
    std::vector<ToolEntry> tools;
    std::optional<std::string> messages = std::string("messages"); // channel; nullopt: none
    bool namesMessages = false; // else it is written only where the node may
    std::string channel; // takes the answer; empty: none
    std::string prompt; // jq; empty: the messages as they are
    std::string name; // of its messages; empty: none
    agents::OutputSchema output;
    agents::Permissions permissions;
    agents::ReviewRules review;
    graph::AgentBudget budget;
    bool raisesToolErrors = false; // LangChain's way
    std::size_t mostResult = 100'000; // characters of a tool's result that the model sees
};

// Errc::InvalidArgument names the setting that is wrong.
Result<AgentSettings> readAgentSettings(const ValueMap& settings);

} // namespace sg::nodes
