#pragma once

#include "core/base/ids.h"

#include <string>

namespace sg::workbench {

// What the engine says about a failure in LangGraph's words, in the words of this program: what happened,
// where, and what to do next. Other messages stay as they are, without references to LangGraph's
// documentation.
std::string runErrorText(const std::string& type, const std::string& message);

// A node as people know it: LangGraph runs what handles a node's errors as a node of its own, with a reserved
// name.
std::string shownNode(const NodeId& node);
// A channel: those by which the engine starts nodes are none that a person made.
std::string shownChannel(const std::string& channel);

} // namespace sg::workbench
