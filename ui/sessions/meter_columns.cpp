#include "ui/sessions/meter_columns.h"

#include <algorithm>
#include <cmath>

namespace sg::ui {

void MeterColumns::update(Meter meter, const SampleHistory& history, double columnMs, double spanMs)
{
    if (history.series() != m_series || columnMs != m_columnMs) {
        m_columns.clear();
        m_series = history.series();
        m_columnMs = columnMs;
        m_lastMs = 0;
    }
    for (auto sample = history.since(std::nextafter(m_lastMs, HUGE_VAL)); sample != history.samples().end();
         ++sample)
        take(meterValue(meter, *sample), sample->timeMs, columnMs);
    const qint64 first = lastIndex() - static_cast<qint64>(std::ceil(spanMs / columnMs));
    while (!m_columns.empty() && m_columns.front().index < first)
        m_columns.pop_front();
}

void MeterColumns::take(double value, double timeMs, double columnMs)
{
    const auto index = static_cast<qint64>(std::floor(timeMs / columnMs));
    if (m_columns.empty() || m_columns.back().index != index) {
        const bool isJoined = !m_columns.empty() && timeMs - m_lastMs <= SampleHistory::kGapMs;
        const double from = isJoined ? m_lastValue : value;
        m_columns.push_back({ index, from, from });
    }
    Column& column = m_columns.back();
    column.low = std::min(column.low, value);
    column.high = std::max(column.high, value);
    m_lastMs = timeMs;
    m_lastValue = value;
}

double MeterColumns::peak() const
{
    double most = 0;
    for (const Column& column : m_columns)
        most = std::max(most, column.high);
    return most;
}

} // namespace sg::ui
