#pragma once

#include "core/graph/node_kinds.h"
#include "ui/graph/forms/bound_rows.h"

namespace sg::ui {

// Adds the row of one setting, with a field that suits its type, for the node that `node` names when the row
// is filled or typed into. `node` and the document must outlive the rows. BoundRows handles empty and half
// typed fields.
QWidget* addSettingRow(BoundRows& rows, const GraphDocument& document, const NodeId& node,
                       const graph::NodeSetting& setting);
// Returns why this is no channel of the graph; empty if it is one.
QString unknownChannel(const GraphDocument& document, const std::string& name);

} // namespace sg::ui
