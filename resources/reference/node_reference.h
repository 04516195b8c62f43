#pragma once

#include "core/base/value.h"

#include <string>

// Writes what core/graph/node_kinds.h says of nodes, for editors (a JSON schema) and for people (a chapter of
// the guide). The files that are kept are written by `ninja reference`; a test holds that they are what is
// made here.
namespace sg::reference {

// Returns the schema of graph files with its parts about kinds of nodes made anew: "kind" and the common
// settings of "node", its conditions, and one definition "KINDNode" a kind. All the rest stays.
Value withNodeKinds(const Value& schema);
// Values that are short share a line.
std::string schemaText(const Value& schema);
// The chapter "nodes". Keys of every node are those of the schema.
std::string nodeChapter(const Value& schema);

} // namespace sg::reference
