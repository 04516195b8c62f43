#pragma once

#include "core/base/result.h"
#include "core/base/value.h"

#include <string>
#include <string_view>
#include <vector>

namespace sg::graph {

// Normalizes one Python requirement (PEP 508, with pip's --hash): "networkx==3.3", "httpx[http2]>=0.27,<1;
// python_version < '3.12'", "demo @ https://host/demo-1.0-py3-none-any.whl". Errc::InvalidArgument says what
// is wrong. pip's other options, folders, version control and URLs with a password are refused: a graph's
// requirements must mean the same everywhere, and they are recorded.
Result<std::string> parseRequirement(std::string_view text);

// The module that a normalized requirement most likely installs: "scikit_image" of "scikit-image==0.24".
std::string moduleOfRequirement(std::string_view requirement);

// Parses a requirements file: one requirement per line, "#" begins a comment, "\" at the end continues the
// line. The error names the line.
Result<std::vector<std::string>> parseRequirementsFile(std::string_view text);

// Reads a node's additional requirements: a list of text; null: none. The error says which is wrong.
Result<std::vector<std::string>> parseRequirementList(const Value& list);

// Sorts normalized requirements and removes duplicates.
std::vector<std::string> sortedRequirements(std::vector<std::string> requirements);

} // namespace sg::graph
