#pragma once

#include "core/servers/mcp/offering.h"
#include "core/servers/mcp/project_offering.h"

#include <string>

namespace sg::servers {

// The form of a person's answer to what a node asked: the question's own schema if it has one, else a text.
Value answerSchema(const Value& question);
// The answer that the node gets: the form's content; of the plain form the text, read as JSON where it is.
Value formAnswer(const Value& question, const Value& content);

// A graph as a tool: its input channels are the arguments, its output channels the result.
mcp::Tool graphTool(const std::string& name, const graph::Graph& graph);
// Runs it. `key` seals what the client keeps while a person is asked.
mcp::ToolResult callGraph(const std::string& tool, OpenGraph& graph, const Value& arguments,
                          const ToolScene& scene, const std::string& key, const Clock& clock);

} // namespace sg::servers
