#pragma once

#include "core/base/value.h"

namespace sg::nodes {

// jq knows plain data only, so these forms stand for LangGraph's objects in what a program gives (alone or in
// a list): {"__send__": {"node", "arg"}} and {"__command__": {"update", "goto", "resume", "graph"}}, whose
// goto is a name, a __send__ or a list of them. Everything else stays as it is.
Value withLangGraphObjects(const Value& result);

} // namespace sg::nodes
