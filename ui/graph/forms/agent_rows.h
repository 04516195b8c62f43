#pragma once

#include "core/graph/node_kinds.h"
#include "ui/graph/forms/bound_rows.h"

#include <string>

namespace sg::ui {

// Rows for those settings of an agent that are lists or objects in the file: its tools with who looks at
// their calls, what it may use, and its budget. Returns false for any other setting. `node` and the document
// must outlive the rows.
bool addAgentRows(BoundRows& rows, GraphDocument& document, const NodeId& node,
                  const graph::NodeSetting& setting);
// Changes with the number of its rows.
std::string agentShape(const graph::Node& node);

} // namespace sg::ui
