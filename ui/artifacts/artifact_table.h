#pragma once

#include "ui/bridge/rows/table_rows.h"

#include <QAbstractTableModel>
#include <QTableView>

namespace sg::ui {

class ArtifactList;
class ArtifactModel;

// The rows of an artifact model with a column for each fact.
class ArtifactTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    ArtifactTableModel(ArtifactModel& artifacts, QObject* parent);
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    ArtifactModel& m_artifacts;
};

// Artifacts as a table that is sorted by any column: by a click on its head, or by Alt and an arrow key for
// that of the current cell. The list beside it holds the selection and makes the copies.
class ArtifactTable : public QTableView {
    Q_OBJECT
public:
    ArtifactTable(ArtifactModel& artifacts, ArtifactList& list, QWidget* parent = nullptr);
    void showThreads(bool shown); // the column: of one thread it says nothing
    void showOrder(const TableOrder& order);

Q_SIGNALS:
    void orderRequested(const sg::ui::TableOrder& order); // column -1: the newest first

protected:
    bool event(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void startDrag(Qt::DropActions actions) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void createActions();
    void takeSelection(); // from the list
    void giveSelection();
    [[nodiscard]] QAction* sortingBy(const QKeyEvent& event) const; // null: it is another key

    ArtifactTableModel* m_model;
    ArtifactList& m_list;
    TableOrder m_order;
    int m_column = 0; // of the current cell: other rows have none until one is chosen
    bool m_isSyncing = false; // with the list
};

} // namespace sg::ui
