#include "ui/logs/log_rows.h"

#include "ui/widgets/time_format.h"

#include <algorithm>

namespace sg::ui {
namespace {

constexpr std::size_t kRowsPerLook = 2048; // rows between two looks at the clock
constexpr std::size_t kExpressionsPerLook = 1; // a match may take milliseconds

} // namespace

LogRows::LogRows(std::size_t most)
    : m_most(most)
{
}

void LogRows::clear()
{
    m_dropped = 0;
    m_scanned = 0;
    m_audits = 0;
    m_rows.clear();
    m_texts.clear();
    m_groupOf.clear();
    m_groups.assign(1, {});
    m_groupIds.clear();
    m_lastTask.clear();
    m_lastGroup = 0;
    m_folded.clear();
    m_shown.clear();
}

std::uint32_t LogRows::groupOf(const LogRow& row)
{
    if (row.task.isEmpty())
        return 0;
    if (row.task != m_lastTask) {
        std::uint32_t& id = m_groupIds[row.task];
        if (id == 0) {
            id = static_cast<std::uint32_t>(m_groups.size());
            m_groups.push_back({ m_dropped + m_rows.size(), 0 });
        }
        m_lastTask = row.task;
        m_lastGroup = id;
    }
    ++m_groups[m_lastGroup].lines;
    return m_lastGroup;
}

bool LogRows::shows(std::size_t number) const
{
    const std::uint32_t group = m_groupOf[number - m_dropped];
    if (group != 0 && m_groups[group].first != number && m_folded.contains(group))
        return false;
    const LogRow& row = m_rows[number - m_dropped];
    return m_filter.matchesFields(row)
        && m_filter.matchesText(row, [this, number](const LogPattern& pattern) {
               return m_texts.has(pattern, number - m_dropped);
           });
}

void LogRows::append(const std::vector<LogRow>& rows)
{
    const bool wasScanned = isScanned();
    for (const LogRow& row : rows) {
        m_groupOf.push_back(groupOf(row));
        m_audits += row.source == LogRow::Source::Audit ? 1 : 0;
        m_rows.push_back(row);
        m_rows.back().text.clear();
        m_texts.append(row.text);
        if (!wasScanned || isAllShown())
            continue;
        if (shows(m_scanned))
            m_shown.push_back(m_scanned);
        ++m_scanned;
    }
    while (m_rows.size() > m_most) {
        m_audits -= m_rows.front().source == LogRow::Source::Audit ? 1 : 0;
        m_rows.pop_front();
        m_texts.dropFirst();
        m_groupOf.pop_front();
        ++m_dropped;
    }
    m_scanned = std::max(m_scanned, m_dropped);
    while (!m_shown.empty() && m_shown.front() < m_dropped)
        m_shown.pop_front();
}

void LogRows::restart()
{
    m_shown.clear();
    m_scanned = m_dropped;
}

void LogRows::setFilter(LogFilter filter)
{
    m_filter = std::move(filter);
    restart();
}

bool LogRows::scan(std::chrono::milliseconds budget)
{
    if (isAllShown())
        return true;
    const auto end = std::chrono::steady_clock::now() + budget;
    const std::size_t last = m_dropped + m_rows.size();
    const std::size_t each = m_filter.isRegular() ? kExpressionsPerLook : kRowsPerLook;
    while (m_scanned < last) {
        for (const std::size_t stop = std::min(last, m_scanned + each); m_scanned < stop; ++m_scanned)
            if (shows(m_scanned))
                m_shown.push_back(m_scanned);
        if (std::chrono::steady_clock::now() >= end)
            break;
    }
    return m_scanned == last;
}

LogRow LogRows::at(std::size_t shownIndex) const
{
    const std::size_t place = numberAt(shownIndex) - m_dropped;
    LogRow row = m_rows[place];
    row.text = m_texts.at(place);
    return row;
}

std::size_t LogRows::numberAt(std::size_t shownIndex) const
{
    return isAllShown() ? m_dropped + shownIndex : m_shown[shownIndex];
}

std::size_t LogRows::placeOf(std::size_t number) const
{
    if (isAllShown())
        return std::min(m_rows.size(), number - std::min(number, m_dropped));
    return static_cast<std::size_t>(std::ranges::lower_bound(m_shown, number) - m_shown.begin());
}

LogRows::Fold LogRows::foldAt(std::size_t shownIndex) const
{
    const std::size_t number = numberAt(shownIndex);
    const std::uint32_t group = m_groupOf[number - m_dropped];
    if (group == 0 || m_groups[group].first != number || m_groups[group].lines < 2)
        return {};
    return { m_groups[group].lines, m_folded.contains(group) };
}

void LogRows::setFolded(std::size_t shownIndex, bool folded)
{
    const std::uint32_t group = m_groupOf[numberAt(shownIndex) - m_dropped];
    if (group == 0)
        return;
    if (folded)
        m_folded.insert(group);
    else
        m_folded.erase(group);
    restart();
}

void LogRows::setAllFolded(bool folded)
{
    m_folded.clear();
    for (std::uint32_t group = 1; folded && group < m_groups.size(); ++group)
        if (m_groups[group].lines > 1)
            m_folded.insert(m_folded.end(), group);
    restart();
}

LogRows::Search LogRows::searchFrom(const LogPattern& pattern, std::size_t start, bool backwards) const
{
    Search search{ pattern, backwards };
    search.isDone = shown() == 0;
    if (search.isDone)
        return search;
    search.start = numberAt(start);
    search.next = backwards ? search.start : search.start + 1; // backwards it is exclusive
    return search;
}

std::optional<std::size_t> LogRows::nextPlace(Search& search) const
{
    while (!search.isDone) {
        const std::size_t place = placeOf(search.next);
        const bool isOver = search.isBackwards ? place == 0 : place == shown();
        if (!isOver) {
            const std::size_t found = search.isBackwards ? place - 1 : place;
            const std::size_t number = numberAt(found);
            search.next = search.isBackwards ? number : number + 1;
            search.isDone =
                search.isAround && (search.isBackwards ? number < search.start : number > search.start);
            if (!search.isDone)
                return found;
        } else {
            search.isDone = search.isAround;
            search.isAround = true;
            search.next = search.isBackwards ? m_dropped + m_rows.size() : m_dropped;
        }
    }
    return std::nullopt;
}

std::optional<std::size_t> LogRows::find(Search& search, std::chrono::milliseconds budget) const
{
    const auto end = std::chrono::steady_clock::now() + budget;
    const std::size_t each = search.pattern.isRegular() ? kExpressionsPerLook : kRowsPerLook;
    for (std::size_t looked = 1; const auto place = nextPlace(search); ++looked) {
        if (m_texts.has(search.pattern, numberAt(*place) - m_dropped)) {
            search.isDone = true;
            return place;
        }
        if (looked % each == 0 && std::chrono::steady_clock::now() >= end)
            return std::nullopt;
    }
    return std::nullopt;
}

std::optional<std::size_t> LogRows::find(const LogPattern& pattern, std::size_t start, bool backwards) const
{
    Search search = searchFrom(pattern, start, backwards);
    return find(search, std::chrono::hours(1));
}

std::size_t LogRows::firstAfter(double timeMs) const
{
    // Rows are ordered by time, except for a few that were late by less than a batch.
    std::size_t low = 0;
    std::size_t high = shown();
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (m_rows[numberAt(middle) - m_dropped].timeMs > timeMs)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

QString logLine(const LogRow& row)
{
    return QStringLiteral("%1  %2  %3  %4  %5")
        .arg(formatClockMs(row.timeMs),
             row.step == LogRow::kNoStep ? QStringLiteral("-") : QString::number(row.step), row.node,
             streamWord(row.stream), row.text);
}

} // namespace sg::ui
