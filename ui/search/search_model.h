#pragma once

#include "ui/bridge/rows/query_rows.h"

#include <QAbstractTableModel>

#include <vector>

namespace sg::ui {

// The rows of a result: the hits of a query, or the rows of an SQL answer.
class SearchModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { KindColumn, WhereColumn, NodeColumn, StatusColumn, TextColumn, TimeColumn, ColumnCount };
    explicit SearchModel(QObject* parent = nullptr);

    void setHits(std::vector<SearchHit> hits);
    void setTable(const SqlRows& rows);
    void clear();
    [[nodiscard]] bool shows(const std::vector<SearchHit>& hits) const; // whether exactly these are shown
    [[nodiscard]] int rowOf(const SearchHit& hit) const; // -1 if it is not shown
    // The place in the history of a row; nullptr if it has none.
    [[nodiscard]] const SearchHit* hit(int row) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QString textOf(const SearchHit& hit, int column) const;

    std::vector<SearchHit> m_hits; // hits of a query, or of SQL rows that name checkpoints
    QStringList m_columns; // columns of an SQL answer; empty if hits are shown
    std::vector<QStringList> m_rows;
};

} // namespace sg::ui
