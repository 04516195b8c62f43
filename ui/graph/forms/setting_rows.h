#pragma once

#include "core/graph/node_kinds.h"
#include "ui/graph/forms/bound_rows.h"

namespace sg::ui {

// The row of one setting of the node that `node` names when it is filled or typed into: the field that suits
// its type. `node` and the document outlive the rows. Empty and half typed fields are BoundRows' matter;
// where the setting goes, its key does too.
QWidget* addSettingRow(BoundRows& rows, const GraphDocument& document, const NodeId& node,
                       const graph::NodeSetting& setting);
// What is wrong with the name of a channel, in words; empty: nothing.
QString unknownChannel(const GraphDocument& document, const std::string& name);

} // namespace sg::ui
