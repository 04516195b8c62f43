#pragma once

#include "ui/bridge/rows/pool_rows.h"

#include <QAbstractTableModel>

#include <vector>

namespace sg::ui {

// The workers of all roles, below a row for each host.
class WorkerModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { NameColumn, RoleColumn, DoesColumn, DoneColumn, ColumnCount };
    explicit WorkerModel(QObject* parent = nullptr)
        : QAbstractTableModel(parent)
    {
    }

    void setPools(const std::vector<PoolRow>& pools);
    [[nodiscard]] int hosts() const { return m_hosts; }
    [[nodiscard]] int workers() const { return rowCount() - m_hosts; }
    [[nodiscard]] bool isHost(int row) const { return m_rows[static_cast<std::size_t>(row)].name.isEmpty(); }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    std::vector<WorkerRow> m_rows; // without a name: a host, with the places of all its workers
    int m_hosts = 0;
};

} // namespace sg::ui
