#pragma once

#include "ui/bridge/previews/csv_column.h"
#include "ui/bridge/rows/rows.h"

#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace sg::ui {

// Pages of a CSV text (RFC 4180; the first line tells whether , ; or tab separates cells). Their positions
// are found as they are needed; one order of the rows is kept. One thread at a time.
class CsvTable {
public:
    // Reads the page that holds `row`, clamped to the last one. `content` must be the same in each call.
    void readPage(std::string_view content, qint64 row, ArtifactPreview& preview);
    // Does the same with only the rows that pass a filter, in the order of a column. If that is impossible,
    // there is no table and `preview.note` says why.
    void readSorted(std::string_view content, qint64 row, const TableOrder& order, ArtifactPreview& preview);
    ColumnFacts facts(std::string_view content, int column); // reads all rows

private:
    void begin(std::string_view content);
    void scanTo(std::string_view content, std::size_t page);
    bool sortBy(std::string_view content, const TableOrder& order);
    bool select(std::string_view content, const TableOrder& order); // false if too many rows pass
    [[nodiscard]] std::size_t recordAt(std::size_t row) const; // index in the kept order
    void addRow(const std::vector<std::string>& cells, ArtifactPreview& preview) const;

    bool m_began = false;
    bool m_isWhole = false; // all pages are known
    char m_separator = ',';
    QStringList m_columns;
    QStringList m_types;
    std::vector<std::size_t> m_pages; // the position where each page begins
    qint64 m_rows = 0; // rows scanned so far
    std::size_t m_scanned = 0; // bytes scanned so far
    std::optional<CsvColumn> m_sorted; // ordered by m_order
    TableOrder m_order; // of m_sorted
    std::vector<std::size_t>
        m_selected; // start of each record that passes the filter of m_selection, in its order
    std::optional<TableOrder> m_selection;
    std::map<int, QString> m_refused; // reason by column that is too large to sort: each try reads all
};

} // namespace sg::ui
