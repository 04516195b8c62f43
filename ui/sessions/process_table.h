#pragma once

#include "ui/bridge/rows/session_rows.h"

#include <QAbstractTableModel>
#include <QStackedWidget>

class QLabel;
class QTableView;

namespace sg::ui {

class EmptyState;

class ProcessModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        PidColumn,
        CommandColumn,
        StateColumn,
        MemoryColumn,
        CpuColumn,
        ThreadsColumn,
        ColumnCount
    };
    using QAbstractTableModel::QAbstractTableModel;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    void update(const std::vector<ProcessRow>& rows); // in place: a process keeps its index

private:
    void removeGone(const std::vector<ProcessRow>& rows);
    void place(std::size_t at, const ProcessRow& row);

    std::vector<ProcessRow> m_rows;
};

// The processes of a session, the largest first, or the reason why they are unknown.
class ProcessTable : public QStackedWidget {
    Q_OBJECT
public:
    explicit ProcessTable(QWidget* parent = nullptr);
    void show(const ProcessList& list);
    void wait(); // until another session's list comes

private:
    ProcessModel* m_model;
    QWidget* m_page;
    QTableView* m_view;
    QLabel* m_note;
    EmptyState* m_problem;
};

} // namespace sg::ui
