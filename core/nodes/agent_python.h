#pragma once

#include <string_view>

namespace sg::nodes {

// python/agent_tools.py: describes functions as tools, calls them, and runs code, in a session.
std::string_view agentToolsCode();

} // namespace sg::nodes
