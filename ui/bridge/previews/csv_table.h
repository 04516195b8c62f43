#pragma once

#include "ui/bridge/previews/csv_column.h"
#include "ui/bridge/rows/rows.h"

#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace sg::ui {

// Where the pages of a CSV text begin (RFC 4180; separator , ; or tab by the first line). Pages that were not
// asked for yet are found when they are; one order of the rows is kept. One thread at a time.
class CsvTable {
public:
    // The page that holds that row, clamped to the last one; `content` is always the same.
    void readPage(std::string_view content, qint64 row, ArtifactPreview& preview);
    // The same, with the rows that pass a filter, in the order of a column; where that cannot be, there is no
    // table and `preview.note` says why.
    void readSorted(std::string_view content, qint64 row, const TableOrder& order, ArtifactPreview& preview);
    ColumnFacts facts(std::string_view content, int column); // reads all of it

private:
    void begin(std::string_view content);
    void scanTo(std::string_view content, std::size_t page);
    bool sortBy(std::string_view content, const TableOrder& order);
    bool select(std::string_view content, const TableOrder& order); // false: too many rows pass
    [[nodiscard]] std::size_t recordAt(std::size_t row) const; // of the rows that are kept
    void addRow(const std::vector<std::string>& cells, ArtifactPreview& preview) const;

    bool m_began = false;
    bool m_isWhole = false; // every page is known
    char m_separator = ',';
    QStringList m_columns;
    QStringList m_types;
    std::vector<std::size_t> m_pages; // where they begin
    qint64 m_rows = 0; // of all that was scanned
    std::size_t m_scanned = 0; // bytes
    std::optional<CsvColumn> m_sorted; // in m_order
    TableOrder m_order; // of m_sorted
    std::vector<std::size_t>
        m_selected; // where the records begin that pass m_selection's filter, in its order
    std::optional<TableOrder> m_selection;
    std::map<int, QString> m_refused; // columns that are too much to sort, and why: each try reads all
};

} // namespace sg::ui
