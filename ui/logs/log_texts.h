#pragma once

#include "ui/logs/log_filter.h"

#include <QString>

#include <cstddef>
#include <deque>
#include <vector>

namespace sg::ui {

// The texts of a log's rows, one behind the other in memory: a search reads it in order, a byte a letter
// where a row is ASCII. Oldest first; index 0 is the oldest that is held.
class LogTexts {
public:
    void clear();
    void append(const QString& text);
    void dropFirst();

    [[nodiscard]] QString at(std::size_t index) const;
    [[nodiscard]] bool has(const LogPattern& pattern, std::size_t index) const;

private:
    struct Block {
        // Of each row, where it ends in `bytes`, times two; plus one: UTF-16.
        std::vector<std::size_t> ends;
        std::vector<char> bytes; // and some that belong to no row, so that a search may read past the last
    };
    struct Piece {
        const char* bytes;
        std::size_t size;
        bool isWide;
    };
    [[nodiscard]] Piece pieceAt(std::size_t index) const;

    std::deque<Block> m_blocks; // each but the last of as many rows
    std::size_t m_first = 0; // rows of the first block that are gone
};

} // namespace sg::ui
