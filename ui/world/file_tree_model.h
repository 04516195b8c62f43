#pragma once

#include "ui/bridge/rows/world_rows.h"

#include <QAbstractItemModel>
#include <QHash>

#include <vector>

namespace sg::ui {

// Files in a tree of folders, folders first. A folder that is missing in the rows is added for its files.
class FileTreeModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column { NameColumn, SizeColumn, ChangeColumn, ColumnCount };
    enum Role { PathRole = Qt::UserRole, ChangesBeneathRole, TypeRole, SizeRole };
    explicit FileTreeModel(QObject* parent = nullptr);

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

    void reset(const std::vector<WorldFileRow>& rows); // sorted by path

private:
    struct Entry {
        WorldFileRow file;
        QString name;
        int parent = 0;
        int row = 0;
        int changes = 0; // number of changed files beneath
        int files = 0; // number of existing files beneath
        std::vector<int> children;
    };
    [[nodiscard]] const Entry& at(const QModelIndex& index) const;
    int folderFor(const QString& path);
    void add(const WorldFileRow& row);
    void sort();
    [[nodiscard]] static QString spoken(const Entry& entry);
    [[nodiscard]] static QString changeText(const Entry& entry);

    std::vector<Entry> m_entries; // the first is the root
    QHash<QString, int> m_folders;
};

} // namespace sg::ui
