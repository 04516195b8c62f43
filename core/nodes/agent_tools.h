#pragma once

#include "core/agents/tool_source.h"
#include "core/engine/node_body.h"
#include "core/nodes/agent_settings.h"
#include "core/nodes/node_catalog.h"

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace sg::nodes {

// A task as a tool's code sees it: its input is the call, and it belongs to the agent's node, whose session
// it uses. Everything else is the real task's.
class CallContext final : public engine::TaskContext {
public:
    CallContext(engine::TaskContext& task, const NodeId& agent, Value input)
        : m_task(task)
        , m_info(task.info())
        , m_input(std::move(input))
    {
        m_info.node = agent;
    }

    [[nodiscard]] const engine::TaskInfo& info() const override { return m_info; }
    [[nodiscard]] const Value& input() const override { return m_input; }
    [[nodiscard]] Value state() const override { return m_task.state(); }
    [[nodiscard]] bool mayWrite(std::string_view channel) const override { return m_task.mayWrite(channel); }
    [[nodiscard]] Value config() const override { return m_task.config(); }
    [[nodiscard]] Value runContext() const override { return m_task.runContext(); }
    [[nodiscard]] std::stop_token stopToken() const override { return m_task.stopToken(); }
    std::optional<Value> interrupt(const Value& value) override { return m_task.interrupt(value); }
    [[nodiscard]] ValueList answersAhead() const override { return m_task.answersAhead(); }
    std::optional<Value> runSubgraph(const Value& input) override { return m_task.runSubgraph(input); }
    [[nodiscard]] const engine::Failure* subgraphFailure() const override { return m_task.subgraphFailure(); }
    void waited(std::chrono::duration<double> time) override { m_task.waited(time); }
    void emitCustom(Value value) override { m_task.emitCustom(std::move(value)); }
    [[nodiscard]] bool streamsMessages() const override { return m_task.streamsMessages(); }
    void emitMessage(Value message, const ValueMap& about) override
    {
        m_task.emitMessage(std::move(message), about);
    }
    void log(Stream stream, std::string_view bytes) override { m_task.log(stream, bytes); }
    void warn(std::string_view line) override { m_task.warn(line); }
    void restored(Value&& how) override { m_task.restored(std::move(how)); }

private:
    engine::TaskContext& m_task;
    engine::TaskInfo m_info;
    const Value m_input;
};

// Returns the node's failure where no model can mend it (no sandbox, stopped), else the tool's exception,
// which the model is told.
agents::ToolOutcome failedTool(engine::Failure failure);

// Functions of a file of the project, which run in the agent's session.
std::unique_ptr<agents::ToolSource> makePythonTools(const std::shared_ptr<const NodeWorld>& world,
                                                    const ToolEntry& entry, const AgentSettings& agent);
// One of the sandbox's own tools.
std::unique_ptr<agents::ToolSource> makeSandboxTool(const std::shared_ptr<const NodeWorld>& world,
                                                    const ToolEntry& entry, const AgentSettings& agent);

} // namespace sg::nodes
