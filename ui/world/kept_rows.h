#pragma once

#include "ui/bridge/rows/world_rows.h"

#include <QItemSelection>
#include <QSet>
#include <QString>

#include <vector>

// Updates a file tree that the user is using with new rows. GUI thread.
namespace sg::ui {

class FileTree;
class FileTreeModel;

// `model` is the source of the tree's model, which may filter it. Open folders, selection, current row and
// scroll position stay.
void resetRows(FileTree& tree, FileTreeModel& model, const std::vector<WorldFileRow>& rows);

// The folders that contain changes.
QSet<QString> changedFolders(const std::vector<WorldFileRow>& rows);
// Opens folders with changes, except those that had some `before`: these stay as the user left them.
void expandChanges(FileTree& tree, const QSet<QString>& before);

bool isOneRow(const QItemSelection& selection);

} // namespace sg::ui
