#pragma once

#include "ui/logs/log_filter.h"
#include "ui/logs/log_texts.h"

#include <QHash>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <vector>

namespace sg::ui {

// The rows of a log and the subset that a filter shows. The number of rows is limited; the oldest are
// dropped. A row keeps its number while others are dropped. scan() applies a filter gradually, so that the
// first matches show early.
class LogRows {
public:
    explicit LogRows(std::size_t most = 1'000'000);

    void clear();
    void append(const std::vector<LogRow>& rows);
    void setFilter(LogFilter filter); // needs scan() afterwards
    [[nodiscard]] const LogFilter& filter() const { return m_filter; }
    // Continues filtering for about `budget`; returns true when all rows are tested.
    bool scan(std::chrono::milliseconds budget);
    [[nodiscard]] bool isScanned() const { return isAllShown() || m_scanned == m_dropped + m_rows.size(); }

    // Rows of the audit do not count while the filter's switch hides them.
    [[nodiscard]] std::size_t total() const { return m_rows.size() - (m_filter.showsAudit() ? 0 : m_audits); }
    [[nodiscard]] std::size_t shown() const { return isAllShown() ? m_rows.size() : m_shown.size(); }
    [[nodiscard]] LogRow at(std::size_t shownIndex) const;
    [[nodiscard]] std::size_t numberAt(std::size_t shownIndex) const;
    // The position of that row among the shown ones, or of the next one that is shown.
    [[nodiscard]] std::size_t placeOf(std::size_t number) const;
    // The number of rows dropped so far.
    [[nodiscard]] std::size_t dropped() const { return m_dropped; }

    // The output of one task can be folded into its first line.
    struct Fold {
        std::size_t lines = 0; // 0 if the row begins no group
        bool isFolded = false;
    };
    [[nodiscard]] Fold foldAt(std::size_t shownIndex) const;
    void setFolded(std::size_t shownIndex, bool folded); // needs scan() afterwards
    void setAllFolded(bool folded);

    // A search through the shown rows from `start` on, continued at the other end; `start` comes last.
    struct Search {
        LogPattern pattern;
        bool isBackwards = false;
        std::size_t start = 0; // numbers of rows
        std::size_t next = 0;
        bool isAround = false; // the search has passed the end
        bool isDone = false;
    };
    [[nodiscard]] Search searchFrom(const LogPattern& pattern, std::size_t start, bool backwards) const;
    // Continues a search for about `budget`; a match ends it and returns its position among the shown rows.
    // Rows may come and go between calls.
    std::optional<std::size_t> find(Search& search, std::chrono::milliseconds budget) const;
    // The next match from `start` on, continued at the other end; `start` itself comes last.
    [[nodiscard]] std::optional<std::size_t> find(const LogPattern& pattern, std::size_t start,
                                                  bool backwards) const;
    // The first shown row later than that; shown() if there is none.
    [[nodiscard]] std::size_t firstAfter(double timeMs) const;

private:
    struct Group {
        std::size_t first = 0; // number of its first row
        std::size_t lines = 0;
    };
    [[nodiscard]] bool isAllShown() const { return m_filter.isOpen() && m_folded.empty(); }
    [[nodiscard]] bool shows(std::size_t number) const;
    [[nodiscard]] std::optional<std::size_t> nextPlace(Search& search) const; // nothing if the search is done
    std::uint32_t groupOf(const LogRow& row);
    void restart();

    std::size_t m_most;
    std::size_t m_dropped = 0;
    std::size_t m_audits = 0; // rows of the audit among m_rows
    std::size_t m_scanned = 0; // numbers below were looked at
    LogFilter m_filter;
    std::deque<LogRow> m_rows; // with empty texts
    LogTexts m_texts;
    std::deque<std::uint32_t> m_groupOf; // group of each row; 0 if it has none
    std::vector<Group> m_groups{ {} };
    QHash<QString, std::uint32_t> m_groupIds; // by task
    QString m_lastTask;
    std::uint32_t m_lastGroup = 0;
    std::set<std::uint32_t> m_folded;
    std::deque<std::size_t> m_shown; // row numbers; unused while all rows are shown
};

// "14:28:46.918  13  model  err  MemoryError: …", for the clipboard.
QString logLine(const LogRow& row);

} // namespace sg::ui
