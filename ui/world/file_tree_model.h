#pragma once

#include "ui/bridge/rows/world_rows.h"

#include <QAbstractItemModel>
#include <QHash>

#include <vector>

namespace sg::ui {

// Files by their folders, which come first. A folder that the list does not name is made for what lies in it.
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

    void reset(const std::vector<WorldFileRow>& rows); // by path

private:
    struct Entry {
        WorldFileRow file;
        QString name;
        int parent = 0;
        int row = 0;
        int changes = 0; // of files beneath
        int files = 0; // beneath that are there
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
