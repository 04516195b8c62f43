#include "ui/sessions/sample_history.h"

#include "ui/widgets/byte_format.h"

#include <QObject>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <iterator>

namespace sg::ui {

namespace {

constexpr double kHot = 0.95;
constexpr double kLimitInSight = 0.25; // the scale includes the limit from this share on

double limitOf(Meter meter, const SessionRow& session, const SampleHistory& history)
{
    const SampleRow last = history.isEmpty() ? SampleRow() : history.samples().back();
    switch (meter) {
    case Meter::Cpu: return session.cpuLimit;
    case Meter::Memory: return last.memoryLimit > 0 ? last.memoryLimit : session.memoryLimit;
    case Meter::Processes: return last.pidsLimit > 0 ? last.pidsLimit : session.pidsLimit;
    case Meter::Disk: return last.diskLimit > 0 ? last.diskLimit : session.diskLimit;
    }
    return 0;
}

QString formatValue(Meter meter, double value)
{
    switch (meter) {
    case Meter::Cpu: return QString::number(value, 'f', 2);
    case Meter::Memory:
    case Meter::Disk: return formatMemory(value);
    case Meter::Processes: return formatCount(static_cast<qint64>(value));
    }
    return {};
}

QString limitWords(Meter meter, double limit)
{
    if (!(limit > 0))
        return meter == Meter::Cpu ? QObject::tr("cores, no limit") : QObject::tr("no limit");
    switch (meter) {
    case Meter::Cpu: return limit == 1 ? QObject::tr("of 1 core") : QObject::tr("of %1 cores").arg(limit);
    case Meter::Memory:
    case Meter::Disk: return QObject::tr("of %1").arg(formatMemory(limit));
    case Meter::Processes: return QObject::tr("of %1").arg(formatCount(static_cast<qint64>(limit)));
    }
    return {};
}

QString meterName(Meter meter)
{
    switch (meter) {
    case Meter::Cpu: return QObject::tr("CPU");
    case Meter::Memory: return QObject::tr("Memory");
    case Meter::Processes: return QObject::tr("Processes");
    case Meter::Disk: return QObject::tr("Files");
    }
    return {};
}

} // namespace

void SampleHistory::add(const std::vector<SampleRow>& samples)
{
    static std::atomic<quint64> lastSeries{ 0 };
    if (m_series == 0 && !samples.empty())
        m_series = ++lastSeries;
    for (const SampleRow& sample : samples)
        if (m_samples.empty() || sample.timeMs > m_samples.back().timeMs)
            m_samples.push_back(sample);
    while (!m_samples.empty() && m_samples.front().timeMs < m_samples.back().timeMs - kKeptMs)
        m_samples.pop_front();
}

void SampleHistory::addOlder(const std::vector<SampleRow>& samples)
{
    std::deque<SampleRow> live;
    live.swap(m_samples);
    m_series = 0;
    add(samples);
    add({ live.begin(), live.end() });
}

double meterValue(Meter meter, const SampleRow& sample)
{
    switch (meter) {
    case Meter::Cpu: return std::max(0.0, sample.cpuPercent / 100);
    case Meter::Memory: return std::max(0.0, sample.memoryBytes);
    case Meter::Processes: return std::max(0, sample.pids);
    case Meter::Disk: return std::max(0.0, sample.diskBytes);
    }
    return 0;
}

QString meterText(Meter meter, double value)
{
    return formatValue(meter, value);
}

MeterReading readMeter(Meter meter, const SessionRow& session, const SampleHistory& history)
{
    MeterReading reading;
    reading.name = meterName(meter);
    reading.limitValue = limitOf(meter, session, history);
    reading.limit = limitWords(meter, reading.limitValue);
    reading.value = QStringLiteral("–");
    if (history.isEmpty())
        return reading;
    const double value = meterValue(meter, history.samples().back());
    reading.value = formatValue(meter, value);
    reading.isHot = reading.limitValue > 0 && value >= reading.limitValue * kHot;
    return reading;
}

std::deque<SampleRow>::const_iterator SampleHistory::since(double timeMs) const
{
    return std::ranges::lower_bound(m_samples, timeMs, {}, &SampleRow::timeMs);
}

SampleHistory SampleHistory::until(double timeMs) const
{
    SampleHistory then;
    const auto after = std::ranges::upper_bound(m_samples, timeMs, {}, &SampleRow::timeMs);
    if (after != m_samples.begin())
        then.add({ *std::prev(after) });
    return then;
}

double meterPeak(Meter meter, const SampleHistory& history, double fromMs)
{
    double peak = 0;
    for (auto sample = history.since(fromMs); sample != history.samples().end(); ++sample)
        peak = std::max(peak, meterValue(meter, *sample));
    return peak;
}

double meterTop(Meter meter, double peak, double limit)
{
    const double least = meter == Meter::Cpu ? 0.25 : meter == Meter::Processes ? 4 : 16.0 * 1024 * 1024;
    if (limit > 0 && peak >= limit * kLimitInSight)
        return std::max(limit, peak) * 1.15;
    return std::max(peak, least) * 1.4;
}

} // namespace sg::ui
