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

// The number in a cell; nothing if it is none, NaN for a missing one ("", "nan").
std::optional<double> csvNumber(std::string_view cell);

// One column of a whole CSV text, 16 bytes a row. Numbers are ordered by value, other cells by their bytes;
// infinite numbers get no bar. Only positions in `content` are kept, so each call needs the same content.
class CsvColumn {
public:
    // `records` is where the first record after the header begins. Errc::LimitExceeded means too many rows.
    static Result<CsvColumn> read(std::string_view content, std::size_t records, char separator, int column);

    // Sorts the rows; empty cells and NaN come last in either order.
    void sort(std::string_view content, bool isDescending);
    [[nodiscard]] std::size_t rows() const { return m_rows.size(); }
    [[nodiscard]] std::size_t recordAt(std::size_t row) const { return m_rows[row].record; }
    [[nodiscard]] ColumnFacts facts(std::string_view content) const;

private:
    struct Row {
        union {
            double number;
            std::uint64_t head; // the first bytes of the cell, the first one most significant
        };
        std::uint64_t record : 48;
        std::uint64_t size : 16; // of the cell, at most 0xFFFF; `head` holds the first 8 bytes
    };
    [[nodiscard]] std::string cell(std::string_view content, const Row& row) const;
    [[nodiscard]] bool isLess(std::string_view content, const Row& a, const Row& b) const;
    [[nodiscard]] ColumnFacts factsOfTexts(std::string_view content) const;

    int m_column = 0;
    char m_separator = ',';
    bool m_isNumber = true;
    std::size_t m_filled = 0; // rows whose cell is not empty; they come first
    std::vector<Row> m_rows;
};

} // namespace sg::ui
