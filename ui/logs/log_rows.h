#pragma once

#include "ui/logs/log_filter.h"

#include <cstddef>
#include <deque>

namespace sg::ui {

// The rows of a log and which of them a filter shows. Bounded: the oldest go first. A row keeps its number
// for as long as it is held, whatever goes before it.
class LogRows {
public:
    explicit LogRows(std::size_t most = 1'000'000);

    void clear();
    void append(const std::vector<LogRow>& rows);
    void setFilter(LogFilter filter);
    [[nodiscard]] const LogFilter& filter() const { return m_filter; }

    [[nodiscard]] std::size_t total() const { return m_rows.size(); }
    [[nodiscard]] std::size_t shown() const { return m_filter.isOpen() ? m_rows.size() : m_shown.size(); }
    [[nodiscard]] const LogRow& at(std::size_t shownIndex) const;
    [[nodiscard]] std::size_t numberAt(std::size_t shownIndex) const;
    // Place among the shown of that row, or of the next one that is shown.
    [[nodiscard]] std::size_t placeOf(std::size_t number) const;
    // How many rows were dropped at the front so far.
    [[nodiscard]] std::size_t dropped() const { return m_dropped; }

private:
    std::size_t m_most;
    std::size_t m_dropped = 0;
    LogFilter m_filter;
    std::deque<LogRow> m_rows;
    std::deque<std::size_t> m_shown; // numbers; unused while the filter is open
};

// "14:28:46.918  13  model  err  MemoryError: …", as the clipboard gets it.
QString logLine(const LogRow& row);

} // namespace sg::ui
