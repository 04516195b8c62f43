#pragma once

#include "core/agents/agent_messages.h"
#include "core/engine/failure.h"
#include "core/engine/node_body.h"

#include <set>
#include <string>
#include <variant>
#include <vector>

namespace sg::agents {

// A tool as a model is told of it.
struct Tool {
    std::string name;
    std::string description;
    Value parameters; // JSON Schema of an object
    bool returnsDirectly = false; // its result ends the loop
    std::string reaches{}; // the host that it asks, "api.test:443"; empty: none
};

// A tool answered.
struct ToolResult {
    Value content; // text, or a list of blocks
    ToolStatus status = ToolStatus::Success;
    Value artifact{}; // beside the content, for the state alone
};
// A tool returned LangGraph's Command (Ext), whose update and goto are the node's.
struct ToolCommand {
    Value command;
};
// A tool's own exception: the model is told, or the node fails, as the agent says.
struct ToolException {
    engine::Failure failure;
};
// The agent may not do that: the model is told why, and it is audited.
struct ToolRefused {
    std::string subject; // what was asked for
    std::string why;
};
// Besides: a question to a person, and a failure that is not the tool's (no sandbox, stopped).
using ToolOutcome =
    std::variant<ToolResult, ToolCommand, ToolException, ToolRefused, engine::Interrupted, engine::Failure>;

// A failure is the agent's node's.
using ListedTools = std::variant<std::vector<Tool>, engine::Failure>;

// A source of tools: functions of the project, the sandbox, a graph, a server. Any thread, several calls at
// once. `context` is the task that asks; its node is the agent.
class ToolSource {
public:
    virtual ~ToolSource() = default;
    // True where others than the project's author name the tools: these never bear a name that is taken.
    [[nodiscard]] virtual bool isNamedByOthers() const { return false; }
    // Called before the first turn of each run. `taken`: the names that mean something already.
    virtual ListedTools list(engine::TaskContext& context, const std::set<std::string>& taken) = 0;
    // `call.name` is one of the listed ones.
    virtual ToolOutcome call(const ToolCall& call, engine::TaskContext& context) = 0;
};

} // namespace sg::agents
