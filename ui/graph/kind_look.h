#pragma once

#include "core/graph/node_kinds.h"

#include <QLatin1String>
#include <QString>

#include <vector>

// How the window shows what core/graph says of kinds of nodes.
namespace sg::ui {

QString translated(std::string_view english); // a text of their table

// In the palette's order: groups as the kinds come, in a group by title.
std::vector<const graph::NodeKind*> kindsOfPalette();
QString nodeKindTitle(const std::string& kind); // "Python", "jq transform"; of another version: its id
QLatin1String iconOfKind(const std::string& kind);

} // namespace sg::ui
