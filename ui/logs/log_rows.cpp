#include "ui/logs/log_rows.h"

#include "ui/widgets/time_format.h"

#include <algorithm>

namespace sg::ui {

LogRows::LogRows(std::size_t most)
    : m_most(most)
{
}

void LogRows::clear()
{
    m_dropped = 0;
    m_rows.clear();
    m_shown.clear();
}

void LogRows::append(const std::vector<LogRow>& rows)
{
    for (const LogRow& row : rows) {
        if (!m_filter.isOpen() && m_filter.matches(row))
            m_shown.push_back(m_dropped + m_rows.size());
        m_rows.push_back(row);
    }
    while (m_rows.size() > m_most) {
        m_rows.pop_front();
        ++m_dropped;
    }
    while (!m_shown.empty() && m_shown.front() < m_dropped)
        m_shown.pop_front();
}

void LogRows::setFilter(LogFilter filter)
{
    m_filter = std::move(filter);
    m_shown.clear();
    if (m_filter.isOpen())
        return;
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        if (m_filter.matches(m_rows[i]))
            m_shown.push_back(m_dropped + i);
}

const LogRow& LogRows::at(std::size_t shownIndex) const
{
    return m_rows[numberAt(shownIndex) - m_dropped];
}

std::size_t LogRows::numberAt(std::size_t shownIndex) const
{
    return m_filter.isOpen() ? m_dropped + shownIndex : m_shown[shownIndex];
}

std::size_t LogRows::placeOf(std::size_t number) const
{
    if (m_filter.isOpen())
        return std::min(m_rows.size(), number - std::min(number, m_dropped));
    return static_cast<std::size_t>(std::ranges::lower_bound(m_shown, number) - m_shown.begin());
}

QString logLine(const LogRow& row)
{
    return QStringLiteral("%1  %2  %3  %4  %5")
        .arg(formatClockMs(row.timeMs), QString::number(row.step), row.node, streamWord(row.stream),
             row.text);
}

} // namespace sg::ui
