#pragma once

#include "ui/bridge/rows/pool_rows.h"

#include <QAbstractTableModel>

#include <vector>

namespace sg::ui {

// Jobs that were given up, newest first.
class DeadModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { JobColumn, RoleColumn, WhyColumn, TriesColumn, AgeColumn, ColumnCount };
    explicit DeadModel(QObject* parent = nullptr)
        : QAbstractTableModel(parent)
    {
    }

    void setLetters(const std::vector<DeadLetterRow>& rows, double nowMs);
    [[nodiscard]] const std::vector<DeadLetterRow>& letters() const { return m_rows; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<DeadLetterRow> m_rows;
    double m_nowMs = 0; // of the look, so that ages do not stand still
};

} // namespace sg::ui
