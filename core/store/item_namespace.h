#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace sg::store {

// Holds labels, outermost first: {"acme", "triage", "agent-1"}. The file joins them with '.'.
using Namespace = std::vector<std::string>;

// Checks LangGraph's rules: labels are not empty and hold no '.' or NUL. An empty namespace is valid here.
Result<void> checkLabels(const Namespace& ns);
// Checks the rules for items: the namespace is not empty, either, and its first label is not "langgraph".
Result<void> checkItemNamespace(const Namespace& ns);

std::string namespaceText(const Namespace& ns);
Namespace namespaceOf(std::string_view text); // reads the file's form; "" is the empty namespace

// "*" in a pattern matches any one label.
bool hasPrefix(const Namespace& ns, const Namespace& pattern);
bool hasSuffix(const Namespace& ns, const Namespace& pattern);

} // namespace sg::store
