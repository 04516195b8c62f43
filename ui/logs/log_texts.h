#pragma once

#include "ui/logs/log_filter.h"

#include <QString>

#include <cstddef>
#include <deque>
#include <vector>

namespace sg::ui {

// The texts of a log's rows, stored contiguously so that a search reads memory in order. ASCII rows use one
// byte for each character. Index 0 is the oldest row.
class LogTexts {
public:
    void clear();
    void append(const QString& text);
    void dropFirst();

    [[nodiscard]] QString at(std::size_t index) const;
    [[nodiscard]] bool has(const LogPattern& pattern, std::size_t index) const;

private:
    struct Block {
        // End of each row in `bytes`, times two; the lowest bit is set for UTF-16.
        std::vector<std::size_t> ends;
        std::vector<char> bytes; // with spare bytes at the end, so that a search may read past the last row
    };
    struct Piece {
        const char* bytes;
        std::size_t size;
        bool isWide;
    };
    [[nodiscard]] Piece pieceAt(std::size_t index) const;

    std::deque<Block> m_blocks; // all blocks but the last have the same number of rows
    std::size_t m_first = 0; // dropped rows of the first block
};

} // namespace sg::ui
