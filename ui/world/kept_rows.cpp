#include "ui/world/kept_rows.h"

#include "ui/world/file_tree.h"
#include "ui/world/file_tree_model.h"

#include <QScrollBar>

namespace sg::ui {
namespace {

constexpr int kMostExpanded = 40;

void expandBeneath(QTreeView& view, const QModelIndex& parent, const QSet<QString>& before, int& budget)
{
    const QAbstractItemModel& model = *view.model();
    for (int row = 0; row < model.rowCount(parent) && budget > 0; ++row) {
        const QModelIndex index = model.index(row, FileTreeModel::NameColumn, parent);
        const QString path = index.data(FileTreeModel::PathRole).toString();
        const bool isHidden =
            path.section(QLatin1Char('/'), -1).startsWith(QLatin1Char('.')); // caches, as a rule
        if (isHidden || index.data(FileTreeModel::ChangesBeneathRole).toInt() == 0)
            continue;
        if (!before.contains(path)) {
            --budget;
            view.expand(index);
        }
        expandBeneath(view, index, before, budget);
    }
}

// Adjacent rows share one range, because a selection with thousands of ranges is slow.
void addRow(QItemSelection& selection, const QModelIndex& index)
{
    const QModelIndex end = index.siblingAtColumn(FileTreeModel::ColumnCount - 1);
    if (!selection.isEmpty() && selection.back().parent() == index.parent()
        && selection.back().bottom() == index.row() - 1)
        selection.back() = QItemSelectionRange(selection.back().topLeft(), end);
    else
        selection.append(QItemSelectionRange(index, end));
}

// Calls `visit` with the tree's rows, and with the children of each row for which it returns true.
template<typename Visit>
void visitRows(const QAbstractItemModel& model, Visit visit)
{
    std::vector<QModelIndex> folders{ {} };
    while (!folders.empty()) {
        const QModelIndex folder = folders.back();
        folders.pop_back();
        for (int row = 0; row < model.rowCount(folder); ++row)
            if (const QModelIndex inner = model.index(row, 0, folder); visit(inner))
                folders.push_back(inner);
    }
}

QString pathOf(const QModelIndex& index)
{
    return index.data(FileTreeModel::PathRole).toString();
}

} // namespace

void resetRows(FileTree& tree, FileTreeModel& model, const std::vector<WorldFileRow>& rows)
{
    const QAbstractItemModel& seen = *tree.model();
    QSet<QString> expanded;
    visitRows(seen, [&](const QModelIndex& index) {
        if (tree.isExpanded(index))
            expanded.insert(pathOf(index));
        return tree.isExpanded(index);
    });
    const QStringList paths = tree.selectedPaths();
    const QSet<QString> chosen(paths.begin(), paths.end());
    const QString current = pathOf(tree.currentIndex().siblingAtColumn(0));
    const int scrolled = tree.verticalScrollBar()->value();
    model.reset(rows);
    QItemSelection selection;
    QModelIndex nowCurrent;
    visitRows(seen, [&](const QModelIndex& index) {
        const QString path = pathOf(index);
        if (chosen.contains(path))
            addRow(selection, index);
        if (!current.isEmpty() && path == current)
            nowCurrent = index;
        if (expanded.contains(path) && seen.hasChildren(index))
            tree.expand(index);
        return seen.hasChildren(index);
    });
    if (!selection.isEmpty())
        tree.selectionModel()->select(selection, QItemSelectionModel::Select);
    if (nowCurrent.isValid())
        tree.selectionModel()->setCurrentIndex(nowCurrent, QItemSelectionModel::NoUpdate);
    tree.verticalScrollBar()->setValue(scrolled);
}

QSet<QString> changedFolders(const std::vector<WorldFileRow>& rows)
{
    QSet<QString> folders;
    for (const WorldFileRow& row : rows) {
        if (row.type == WorldFileRow::Type::Folder || row.change == WorldChange::Same
            || row.change == WorldChange::Unknown)
            continue;
        QString folder = row.path;
        for (auto end = folder.lastIndexOf(QLatin1Char('/')); end > 0;
             end = folder.lastIndexOf(QLatin1Char('/'))) {
            folder.truncate(end);
            if (folders.contains(folder))
                break; // its parents are in the set, too
            folders.insert(folder);
        }
    }
    return folders;
}

void expandChanges(FileTree& tree, const QSet<QString>& before)
{
    int budget = kMostExpanded;
    expandBeneath(tree, {}, before, budget);
}

bool isOneRow(const QItemSelection& selection)
{
    return selection.size() == 1 && selection.front().height() == 1;
}

} // namespace sg::ui
