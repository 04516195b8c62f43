#pragma once

#include "core/graph/node_kinds.h"

#include <QLatin1String>
#include <QString>

#include <vector>

// The looks of the kinds of nodes that core/graph describes.
namespace sg::ui {

QString translated(std::string_view english); // a text of core/graph's descriptors

// The kinds in the palette's order: groups in the order of their first kind, titles sorted within a group.
std::vector<const graph::NodeKind*> kindsOfPalette();
QString nodeKindTitle(const std::string& kind); // "Python", "jq transform"; the id of an unknown kind
QLatin1String iconOfKind(const std::string& kind);

} // namespace sg::ui
