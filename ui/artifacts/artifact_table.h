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

// Artifacts as a table that is sorted by a column: by a click on its header, or by Alt and an arrow key for
// the current cell's column. The list owns the selection and makes the copies.
class ArtifactTable : public QTableView {
    Q_OBJECT
public:
    ArtifactTable(ArtifactModel& artifacts, ArtifactList& list, QWidget* parent = nullptr);
    void showThreads(bool shown); // shows the threads' column, needless for one thread
    void showOrder(const TableOrder& order);

Q_SIGNALS:
    void orderRequested(const sg::ui::TableOrder& order); // column -1 means newest first

protected:
    bool event(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void startDrag(Qt::DropActions actions) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void createActions();
    void takeSelection(); // copies the list's selection
    void giveSelection();
    [[nodiscard]] QAction* sortingBy(const QKeyEvent& event) const; // null for other keys

    ArtifactTableModel* m_model;
    ArtifactList& m_list;
    TableOrder m_order;
    int m_column = 0; // of the current cell; new rows have no current cell
    bool m_isSyncing = false; // with the list's selection
};

} // namespace sg::ui
