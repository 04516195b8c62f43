#pragma once

#include "core/base/value.h"

#include <string>

// Tells editors (in a JSON schema) and people (in a chapter of the guide) what core/graph/node_kinds.h says
// of nodes and core/sandbox/backend_kinds.h of backends. The build writes both into its folder.
namespace sg::reference {

// Returns the schema of graph files with its parts about kinds made anew: "kind" and the common settings of
// "node", its conditions, one definition "KINDNode" a kind, and the backends of "sandbox". All else stays.
Value completed(const Value& schema);
// Values that are short share a line.
std::string schemaText(const Value& schema);
// The chapter "nodes". Keys of every node are those of the schema.
std::string nodeChapter(const Value& schema);

} // namespace sg::reference
