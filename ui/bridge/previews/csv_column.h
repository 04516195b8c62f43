#pragma once

#include "core/base/result.h"
#include "ui/bridge/rows/table_rows.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sg::ui {

// What a cell says: nothing where it is no number, NaN where it is one that is missing ("", "nan").
std::optional<double> csvNumber(std::string_view cell);

// One column of a CSV text, read as a whole: 16 bytes a row. A column of numbers is ordered by them, another
// by its bytes; what is infinite has no bar. Only places in `content` are kept: it is always the same.
class CsvColumn {
public:
    // `records`: where the first record behind the head begins. Errc::LimitExceeded: too many rows.
    static Result<CsvColumn> read(std::string_view content, std::size_t records, char separator, int column);

    // Where the records begin, in order; empty cells last, and with them those that are not a number.
    void sort(std::string_view content, bool isDescending);
    [[nodiscard]] std::size_t rows() const { return m_rows.size(); }
    [[nodiscard]] std::size_t recordAt(std::size_t row) const { return m_rows[row].record; }
    [[nodiscard]] ColumnFacts facts(std::string_view content) const;

private:
    struct Row {
        union {
            double number;
            std::uint64_t head; // the first bytes of the cell, the first of them highest
        };
        std::uint64_t record : 48;
        std::uint64_t size : 16; // of the cell, where there is more of it than `head` holds; at most
    };
    [[nodiscard]] std::string cell(std::string_view content, const Row& row) const;
    [[nodiscard]] bool isLess(std::string_view content, const Row& a, const Row& b) const;
    [[nodiscard]] ColumnFacts factsOfTexts(std::string_view content) const;

    int m_column = 0;
    char m_separator = ',';
    bool m_isNumber = true;
    std::size_t m_filled = 0; // rows whose cell is not empty come first
    std::vector<Row> m_rows;
};

} // namespace sg::ui
