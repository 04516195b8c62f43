#pragma once

#include "ui/compare/run_comparison.h"

class QTreeView;
class QWidget;

namespace sg::ui {

// Shows a comparison as tables; differences are tinted as in a state's diff and named in the first column.
QTreeView* comparisonTable(const QString& name, QWidget* parent);
void fillNodes(QTreeView& table, const RunComparison& comparison);
void fillChannels(QTreeView& table, const RunComparison& comparison);
void fillFigures(QTreeView& table, const RunComparison& comparison);

} // namespace sg::ui
