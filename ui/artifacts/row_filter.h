#pragma once

#include "ui/bridge/rows/table_rows.h"

namespace sg::ui {

// Parses "mass > 4000", "name = Adelie", "\"body mass\" < 3" and, for a part of the cell, "name: ad". The
// longest column name that fits counts. `fault` says why it is no filter. Empty text selects all rows.
TableFilter tableFilterOf(const QString& words, const QStringList& columns, QString& fault);

} // namespace sg::ui
