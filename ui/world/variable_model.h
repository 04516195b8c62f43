#pragma once

#include "ui/bridge/rows/world_rows.h"

#include <QAbstractTableModel>

#include <vector>

namespace sg::ui {

class VariableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { NameColumn, TypeColumn, ShapeColumn, SizeColumn, ValueColumn, ColumnCount };
    enum Role { SortRole = Qt::UserRole };
    using QAbstractTableModel::QAbstractTableModel;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    void reset(std::vector<VariableRow> rows);
    [[nodiscard]] const std::vector<VariableRow>& rows() const { return m_rows; }

private:
    std::vector<VariableRow> m_rows;
};

} // namespace sg::ui
