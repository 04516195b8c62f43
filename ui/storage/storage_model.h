#pragma once

#include "ui/bridge/rows/storage_rows.h"

#include <QAbstractTableModel>

namespace sg::ui {

// Disk use, largest first: kind, name, size with its share of the largest, and count.
class StorageModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { NameColumn, KindColumn, SizeColumn, CountColumn, ColumnCount };
    enum Role { ShareRole = Qt::UserRole };
    using QAbstractTableModel::QAbstractTableModel;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void reset(const StorageView& view);

private:
    struct Row {
        QString kind;
        QString one; // the count in words where it is 1
        QString many; // with %1 for another one
        StorageRow row;
    };
    std::vector<Row> m_rows;
    double m_largest = 0;
};

} // namespace sg::ui
