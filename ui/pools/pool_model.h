#pragma once

#include "ui/bridge/rows/pool_rows.h"
#include "ui/pools/pool_history.h"

#include <QAbstractTableModel>

#include <vector>

namespace sg::ui {

// The pools, a row for each role.
class PoolModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        RoleColumn,
        StateColumn,
        WaitingColumn,
        BusyColumn,
        OldestColumn,
        RetriesColumn,
        DeadColumn,
        DoneColumn,
        LimitColumn,
        WorkersColumn,
        ColumnCount
    };
    explicit PoolModel(const PoolHistory& history, QObject* parent = nullptr);

    void setPools(const std::vector<PoolRow>& pools);
    [[nodiscard]] const std::vector<PoolRow>& pools() const { return m_pools; }
    [[nodiscard]] const PoolHistory& history() const { return m_history; }
    [[nodiscard]] int rowOf(const QString& role) const; // -1: there is none

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QString words(const PoolRow& pool, int column) const;

    const PoolHistory& m_history;
    std::vector<PoolRow> m_pools;
};

// "12 /s", "0.4 /s".
QString rateWords(double rate, const QString& unit);

} // namespace sg::ui
