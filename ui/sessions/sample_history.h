#pragma once

#include "ui/bridge/rows/rows.h"

#include <deque>

namespace sg::ui {

// One session's measurements of the last hour, in the order of time.
class SampleHistory {
public:
    static constexpr double kKeptMs = 3'600'000;
    static constexpr double kGapMs = 5000; // longer without a sample: the line breaks

    void add(const std::vector<SampleRow>& samples); // late ones out of order are left out
    void addOlder(const std::vector<SampleRow>& samples); // stored ones, in order, before what came live
    [[nodiscard]] const std::deque<SampleRow>& samples() const { return m_samples; }
    [[nodiscard]] std::deque<SampleRow>::const_iterator since(double timeMs) const;
    [[nodiscard]] SampleHistory until(double timeMs) const; // the newest of then, alone
    [[nodiscard]] bool isEmpty() const { return m_samples.empty(); }
    // The same number: the same samples, or those and later ones.
    [[nodiscard]] quint64 series() const { return m_series; }

private:
    quint64 m_series = 0; // 0: none came yet
    std::deque<SampleRow> m_samples;
};

// What is measured.
enum class Meter { Memory, Cpu, Processes, Disk };
inline constexpr Meter kMeters[] = { Meter::Memory, Meter::Cpu, Meter::Processes, Meter::Disk };

struct MeterReading {
    QString name; // "Memory"
    QString value; // "612 MiB"; an en dash before the first sample
    QString limit; // "of 1 GiB", "no limit"
    double limitValue = 0; // in the plot's unit; 0: none
    bool isHot = false; // at 95 % of the limit or above
};
MeterReading readMeter(Meter meter, const SessionRow& session, const SampleHistory& history);

// Cores, bytes, count.
double meterValue(Meter meter, const SampleRow& sample);

double meterPeak(Meter meter, const SampleHistory& history, double fromMs);
// The top of the plot's scale: the limit is in it once a quarter of it is used.
double meterTop(Meter meter, double peak, double limit);

} // namespace sg::ui
