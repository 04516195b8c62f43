#pragma once

#include "ui/compare/run_comparison.h"

class QTreeView;
class QWidget;

namespace sg::ui {

// A comparison as tables: what differs is tinted as in the diff of a state, and says so in its first column.
QTreeView* comparisonTable(const QString& name, QWidget* parent);
void fillNodes(QTreeView& table, const RunComparison& comparison);
void fillChannels(QTreeView& table, const RunComparison& comparison);
void fillFigures(QTreeView& table, const RunComparison& comparison);

} // namespace sg::ui
