#include "ui/bridge/log/log_merge.h"

#include <QHash>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace sg::ui {
namespace {

// Live notes have the time of their arrival, stored ones the time of the event.
constexpr double kSameNoteMs = 5000;

bool isOutput(const LogRow& row)
{
    return row.source == LogRow::Source::Node || row.source == LogRow::Source::Cell;
}

bool isSame(const LogRow& read, const LogRow& live)
{
    if (read.source != live.source || read.stream != live.stream)
        return false;
    if (isOutput(live))
        return read.timeMs == live.timeMs && read.task == live.task && read.text == live.text;
    const bool isSaid = read.text == live.text
        || (read.source == LogRow::Source::Runner // the runner's records have the event before the text
            && read.text.endsWith(QLatin1String(": ") + live.text));
    return isSaid && read.step == live.step && read.node == live.node
        && std::abs(read.timeMs - live.timeMs) <= kSameNoteMs;
}

// The read rows that live rows could repeat: those since `sinceMs`.
class ReadRows {
public:
    ReadRows(const std::vector<LogRow>& rows, double sinceMs)
        : m_rows(rows)
    {
        for (std::size_t i = rows.size(); i > 0 && rows[i - 1].timeMs >= sinceMs; --i)
            m_places[keyOf(rows[i - 1])].push_back(i - 1);
    }
    // Finds a read row that repeats the live one; each read row is used once.
    bool take(const LogRow& live)
    {
        const auto places = m_places.find(keyOf(live));
        if (places == m_places.end())
            return false;
        const auto found =
            std::ranges::find_if(*places, [&](std::size_t place) { return isSame(m_rows[place], live); });
        if (found == places->end())
            return false;
        places->erase(found);
        return true;
    }

private:
    static QString keyOf(const LogRow& row)
    {
        return isOutput(row) ? row.task + row.text : row.node; // there are few others
    }
    const std::vector<LogRow>& m_rows;
    QHash<QString, std::vector<std::size_t>> m_places;
};

} // namespace

std::vector<LogRow> mergedLog(ThreadLog read, const std::vector<LogRow>& live,
                              const std::function<bool(const LogRow& begun)>& goesOn)
{
    double since = std::numeric_limits<double>::infinity();
    for (const LogRow& row : live)
        since = std::min(since, row.timeMs - kSameNoteMs);
    ReadRows known(read.rows, since);
    std::vector<LogRow> added;
    for (const LogRow& row : live)
        if (!known.take(row))
            added.push_back(row);
    std::vector<LogRow> begun;
    for (LogRow& row : read.open) {
        const bool wentOn = std::ranges::any_of(added, [&row](const LogRow& later) {
            return isOutput(later) && later.task == row.task && later.stream == row.stream;
        });
        if (!wentOn && !goesOn(row))
            begun.push_back(std::move(row));
    }
    std::ranges::stable_sort(begun, {}, &LogRow::timeMs);
    const auto whole = std::ssize(read.rows);
    std::ranges::move(begun, std::back_inserter(read.rows));
    std::ranges::inplace_merge(read.rows, read.rows.begin() + whole, {}, &LogRow::timeMs);
    std::ranges::move(added, std::back_inserter(read.rows));
    return std::move(read.rows);
}

} // namespace sg::ui
