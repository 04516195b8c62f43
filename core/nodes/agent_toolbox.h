#pragma once

#include "core/agents/tool_source.h"
#include "core/nodes/agent_settings.h"
#include "core/nodes/jq_programs.h"
#include "core/nodes/node_catalog.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace sg::nodes {

// All tools of one agent: asks its sources once a run, and calls within the agent's permissions. Any thread.
class AgentToolbox {
public:
    AgentToolbox(std::shared_ptr<const NodeWorld> world, const std::shared_ptr<JqPrograms>& programs,
                 const graph::Node& agent, const AgentSettings& settings);
    AgentToolbox(const AgentToolbox&) = delete;
    AgentToolbox& operator=(const AgentToolbox&) = delete;

    [[nodiscard]] bool isEmpty() const { return m_sources.empty(); }
    // Asks the sources. `task` is of the agent's node. After that the others may be called.
    std::optional<engine::Failure> load(engine::TaskContext& task);
    [[nodiscard]] const std::vector<agents::Tool>& tools() const { return m_tools; } // those that it may use
    [[nodiscard]] const agents::Tool* find(const std::string& tool) const;
    // Says that `tool` is none that the agent may use, which one was probably meant, and which there are.
    [[nodiscard]] std::string noSuchTool(const std::string& tool) const;
    // The answer to a call, whatever the tool's name is.
    agents::ToolOutcome call(const agents::ToolCall& call, engine::TaskContext& task);

private:
    std::optional<engine::Failure> ask(engine::TaskContext& task);
    std::optional<engine::Failure> take(agents::Tool tool, agents::ToolSource& source,
                                        std::set<std::string>& names);
    // A rule for a tool that is not there would leave the one that was meant without a review.
    [[nodiscard]] std::optional<engine::Failure> reviewFault() const;
    agents::ToolOutcome refused(const agents::ToolCall& call, engine::TaskContext& task,
                                agents::ToolRefused refusal) const;

    const std::shared_ptr<const NodeWorld> m_world;
    const NodeId m_agent;
    const agents::Permissions m_permissions;
    const agents::ReviewRules m_review;
    std::string m_outputTool; // by which the model gives its answer; empty: none; constant after construction
    std::set<std::string> m_reserved; // names that tools of others never bear; constant after construction
    // Constant after construction; those whose tools others name come last.
    std::vector<std::unique_ptr<agents::ToolSource>> m_sources;
    std::mutex m_mutex; // held while sources are asked
    bool m_isLoaded = false; // guarded by m_mutex
    // Constant once loaded:
    std::vector<agents::Tool> m_tools;
    std::vector<agents::ToolSource*> m_owners; // of each
    std::map<std::string, agents::ToolRefused> m_forbidden; // tools that the permissions leave out, by name
    std::size_t m_bytes = 0; // of what the model is told of the tools
};

} // namespace sg::nodes
