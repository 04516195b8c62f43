#pragma once

#include "core/agents/agent_messages.h"
#include "core/engine/node_body.h"
#include "core/nodes/node_catalog.h"

#include <cstddef>
#include <memory>
#include <string>

namespace sg::nodes {

// Bounds what a model is shown of results that come from outside the agent's session (servers, web services,
// graphs). A longer result is an artifact, of which the model sees the beginning, the end and the name. Any
// thread.
class AgentResults {
public:
    // `most`: characters. With `hasSession` the agent has tools that work in its session: the result is a
    // file there, too, which they can read.
    AgentResults(std::shared_ptr<const NodeWorld> world, std::size_t most, bool hasSession);

    [[nodiscard]] std::string shown(std::string text, const agents::ToolCall& call,
                                    engine::TaskContext& task) const;
    // A picture, sound or other file: kept as an artifact, and told to the model by its name.
    [[nodiscard]] std::string kept(const std::string& bytes, const std::string& ending,
                                   const agents::ToolCall& call, engine::TaskContext& task) const;

private:
    // The name of the artifact, or why there is none.
    [[nodiscard]] std::string stored(const std::string& bytes, const std::string& ending,
                                     const agents::ToolCall& call, engine::TaskContext& task) const;

    const std::shared_ptr<const NodeWorld> m_world;
    const std::size_t m_most;
    std::unique_ptr<engine::NodeBody> m_intoSession; // null: there is no session; constant
};

} // namespace sg::nodes
