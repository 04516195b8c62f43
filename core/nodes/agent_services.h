#pragma once

#include "core/agents/tool_source.h"
#include "core/nodes/agent_results.h"
#include "core/nodes/agent_settings.h"
#include "core/nodes/jq_programs.h"
#include "core/nodes/node_catalog.h"

#include <memory>

namespace sg::nodes {

// Tools of an MCP server of the graph. Names and texts are the server's, and never a permission.
std::unique_ptr<agents::ToolSource> makeServerTools(std::shared_ptr<const NodeWorld> world,
                                                    std::shared_ptr<const AgentResults> results,
                                                    const ToolEntry& entry);
// A web service as a tool: the arguments make the request.
std::unique_ptr<agents::ToolSource> makeHttpTool(std::shared_ptr<const NodeWorld> world,
                                                 const std::shared_ptr<JqPrograms>& programs,
                                                 std::shared_ptr<const AgentResults> results,
                                                 const ToolEntry& entry,
                                                 const agents::Permissions& permissions);

} // namespace sg::nodes
