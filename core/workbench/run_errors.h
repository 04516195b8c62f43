#pragma once

#include <string>

namespace sg::workbench {

// What the engine says about a failure in LangGraph's words, in the words of this program: what happened,
// where, and what to do next. Other messages stay as they are, without references to LangGraph's
// documentation.
std::string runErrorText(const std::string& type, const std::string& message);

} // namespace sg::workbench
