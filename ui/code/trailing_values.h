#pragma once

#include "ui/bridge/rows/world_rows.h"

#include <QString>

#include <map>
#include <vector>

namespace sg::ui {

// What names that Python code assigns hold in a session, by line (from 1): "df 333 × 7, dropped 11". A name
// stands behind the last line that assigns it, because the session knows only what it held at the end.
std::map<int, QString> trailingValues(const QString& text, const std::vector<VariableRow>& names);

} // namespace sg::ui
