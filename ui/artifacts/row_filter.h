#pragma once

#include "ui/bridge/rows/table_rows.h"

namespace sg::ui {

// "mass > 4000", "name = Adelie", "\"body mass\" < 3" and, for a part of the cell, "name: ad". The longest
// column that the words begin with is meant; `fault`: why it is no filter. Empty words let every row through.
TableFilter tableFilterOf(const QString& words, const QStringList& columns, QString& fault);

} // namespace sg::ui
