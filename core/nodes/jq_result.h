#pragma once

#include "core/base/value.h"

namespace sg::nodes {

// jq knows only plain data, so these forms in its output, alone or in a list, mean LangGraph's objects:
// {"__send__": {"node", "arg"}} and {"__command__": {"update", "goto", "resume", "graph"}}, whose goto is a
// name, a __send__ or a list of them. Everything else stays as it is.
Value withLangGraphObjects(const Value& result);

} // namespace sg::nodes
