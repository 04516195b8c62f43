#pragma once

#include "ui/bridge/rows/world_rows.h"

#include <QString>

#include <map>
#include <vector>

namespace sg::ui {

// Returns, by line (from 1), the values that a session holds under the names that Python code assigns: "df
// 333 × 7, dropped 11". A name stands behind the last line that assigns it, because the session knows only
// what it held at the end.
std::map<int, QString> trailingValues(const QString& text, const std::vector<VariableRow>& names);

} // namespace sg::ui
