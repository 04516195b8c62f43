#pragma once

#include "ui/bridge/rows.h"

#include <string_view>
#include <vector>

namespace sg::ui {

// Where the pages of a CSV text begin (RFC 4180; separator , ; or tab by the first line). Pages that were not
// asked for yet are found when they are. One thread at a time.
class CsvTable {
public:
    // The page that holds that row, clamped to the last one; `content` is always the same.
    void readPage(std::string_view content, qint64 row, ArtifactPreview& preview);

private:
    void begin(std::string_view content);
    void scanTo(std::string_view content, std::size_t page);

    bool m_began = false;
    bool m_isWhole = false; // every page is known
    char m_separator = ',';
    QStringList m_columns;
    QStringList m_types;
    std::vector<std::size_t> m_pages; // where they begin
    qint64 m_rows = 0; // of all that was scanned
    std::size_t m_scanned = 0; // bytes
};

} // namespace sg::ui
