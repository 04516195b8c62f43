#pragma once

#include "ui/bridge/rows/rows.h"
#include "ui/bridge/rows/table_rows.h"

#include <QAbstractTableModel>
#include <QHeaderView>
#include <QTableView>

#include <map>

namespace sg::ui {

// The rows of a table preview. Columns of numbers are right aligned.
class PreviewTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role {
        TypeRole = Qt::UserRole,
        BarsRole, // QList<double> for the header: distribution of the column's values over all rows
    };
    using QAbstractTableModel::QAbstractTableModel;

    void reset(const QStringList& columns, const QStringList& types, std::vector<QStringList> rows,
               qint64 firstRow = 0);
    void setFacts(const ColumnFacts& facts); // of a shown column
    void setOrder(const TableOrder& order); // for the headers' signs
    [[nodiscard]] bool hasBars() const;
    [[nodiscard]] const QStringList& columns() const { return m_columns; }
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] bool isNumber(int column) const;
    [[nodiscard]] QString described(int column) const;

    QStringList m_columns;
    QStringList m_types;
    std::vector<QStringList> m_rows;
    qint64 m_firstRow = 0;
    std::map<int, ColumnFacts> m_facts; // by column
    TableOrder m_order;
};

// "body_mass_g double": the name, the type in a quieter colour, the sign of the order, and below, once it is
// known, the distribution of the values.
class TypedHeader : public QHeaderView {
    Q_OBJECT
public:
    explicit TypedHeader(QWidget* parent = nullptr);
    void showBars(bool shown);
    void setOrder(const TableOrder& order);

protected:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override;
    [[nodiscard]] QSize sectionSizeFromContents(int section) const override;

private:
    void paintBars(QPainter& painter, const QRectF& room, int section) const;

    bool m_hasBars = false;
    TableOrder m_order;
};

class TableView : public QTableView {
    Q_OBJECT
public:
    explicit TableView(QWidget* parent = nullptr);
    // Column widths are kept for another page of the same columns. `firstRow` counts from 0.
    void setTable(const QStringList& columns, const QStringList& types, const std::vector<QStringList>& rows,
                  qint64 firstRow);
    void setFacts(const ColumnFacts& facts);
    void setOrder(const TableOrder& order);
    [[nodiscard]] const TableOrder& order() const { return m_order; }
    [[nodiscard]] const QStringList& columns() const { return m_model->columns(); }

Q_SIGNALS:
    void orderRequested(const sg::ui::TableOrder& order); // by a click on a header, or by key

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override; // Ctrl+C copies the selected cells, tab separated

private:
    void createActions();
    [[nodiscard]] QAction* sortingBy(const QKeyEvent& event) const; // null for other keys
    void requestOrder(int column, bool isDescending);
    void keepColumn(int column); // makes the column current in the first row; -1 if there was none

    PreviewTableModel* m_model;
    TypedHeader* m_head;
    TableOrder m_order;
};

} // namespace sg::ui
