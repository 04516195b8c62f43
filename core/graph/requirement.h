#pragma once

#include "core/base/result.h"
#include "core/base/value.h"

#include <string>
#include <string_view>
#include <vector>

namespace sg::graph {

// One Python requirement (PEP 508, with pip's --hash) in the one way to write it: "networkx==3.3",
// "httpx[http2]>=0.27,<1; python_version < '3.12'", "demo @ https://host/demo-1.0-py3-none-any.whl".
// Errc::InvalidArgument says what is wrong: pip's other options, folders, version control and URLs with a
// password are refused, because what a graph names must mean the same everywhere and is recorded.
Result<std::string> parseRequirement(std::string_view text);

// A requirements file: a requirement a line, "#" begins a comment, "\" at the end goes on. The error names
// the line.
Result<std::vector<std::string>> parseRequirementsFile(std::string_view text);

// A node's own, beside those of its graph: a list of text; null: none. The error says which is wrong.
Result<std::vector<std::string>> parseRequirementList(const Value& list);

// In order, each once: what is written another way means the same.
std::vector<std::string> sortedRequirements(std::vector<std::string> requirements);

} // namespace sg::graph
