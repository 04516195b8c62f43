#pragma once

#include "ui/bridge/rows.h"

#include <QAbstractTableModel>
#include <QHeaderView>
#include <QTableView>

namespace sg::ui {

// The rows of a table preview. Columns whose type is a number stand at the right.
class PreviewTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role { TypeRole = Qt::UserRole };
    using QAbstractTableModel::QAbstractTableModel;

    void reset(const QStringList& columns, const QStringList& types, std::vector<QStringList> rows,
               qint64 firstRow = 0);
    [[nodiscard]] const QStringList& columns() const { return m_columns; }
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] bool isNumber(int column) const;

    QStringList m_columns;
    QStringList m_types;
    std::vector<QStringList> m_rows;
    qint64 m_firstRow = 0;
};

// "body_mass_g double": the name, then the type in a quieter ink.
class TypedHeader : public QHeaderView {
    Q_OBJECT
public:
    explicit TypedHeader(QWidget* parent = nullptr);

protected:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override;
    [[nodiscard]] QSize sectionSizeFromContents(int section) const override;
};

class TableView : public QTableView {
    Q_OBJECT
public:
    explicit TableView(QWidget* parent = nullptr);
    // The widths stay for another page of the same columns. `firstRow`: number of the first one, from 0.
    void setTable(const QStringList& columns, const QStringList& types, const std::vector<QStringList>& rows,
                  qint64 firstRow);

protected:
    void keyPressEvent(QKeyEvent* event) override; // Ctrl+C copies the selected cells, tab separated

private:
    PreviewTableModel* m_model;
};

} // namespace sg::ui
