#pragma once

#include "ui/bridge/rows/query_rows.h"

#include <QAbstractTableModel>

#include <vector>

namespace sg::ui {

// What was found, a row each: the hits of a query, or the rows that SQL answered.
class SearchModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { KindColumn, WhereColumn, NodeColumn, StatusColumn, TextColumn, TimeColumn, ColumnCount };
    explicit SearchModel(QObject* parent = nullptr);

    void setHits(std::vector<SearchHit> hits);
    void setTable(const SqlRows& rows);
    void clear();
    [[nodiscard]] bool shows(const std::vector<SearchHit>& hits) const; // these and no others
    [[nodiscard]] int rowOf(const SearchHit& hit) const; // −1: it is not shown
    // The place in the history that a row is about; nullptr: it names none.
    [[nodiscard]] const SearchHit* hit(int row) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QString textOf(const SearchHit& hit, int column) const;

    std::vector<SearchHit> m_hits; // of a query; of SQL where its rows name checkpoints
    QStringList m_columns; // of SQL; empty: hits are shown
    std::vector<QStringList> m_rows;
};

} // namespace sg::ui
