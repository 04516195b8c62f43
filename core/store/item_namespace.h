#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace sg::store {

// Labels from the outermost in: {"acme", "triage", "agent-1"}. In the file they are joined by '.'.
using Namespace = std::vector<std::string>;

// LangGraph's rules: labels are not empty and hold no '.' or NUL. An empty namespace is valid here.
Result<void> checkLabels(const Namespace& ns);
// For items: also not empty, and the first label is not "langgraph".
Result<void> checkItemNamespace(const Namespace& ns);

std::string namespaceText(const Namespace& ns);
Namespace namespaceOf(std::string_view text); // of what stands in the file; "" is the empty namespace

// "*" in a pattern is any one label.
bool hasPrefix(const Namespace& ns, const Namespace& pattern);
bool hasSuffix(const Namespace& ns, const Namespace& pattern);

} // namespace sg::store
