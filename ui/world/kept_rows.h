#pragma once

#include "ui/bridge/rows/world_rows.h"

#include <QItemSelection>
#include <QSet>
#include <QString>

#include <vector>

// Files that are listed anew again and again, in a tree in which somebody looks around. GUI thread.
namespace sg::ui {

class FileTree;
class FileTreeModel;

// `model` is behind what the tree shows, filtered or not. What is open, chosen, current and scrolled to
// stays.
void resetRows(FileTree& tree, FileTreeModel& model, const std::vector<WorldFileRow>& rows);

// The folders above something that changed.
QSet<QString> changedFolders(const std::vector<WorldFileRow>& rows);
// Opens folders in which something changed, but for those that had changes `before`: they stay as they were
// left.
void expandChanges(FileTree& tree, const QSet<QString>& before);

bool isOneRow(const QItemSelection& selection);

} // namespace sg::ui
