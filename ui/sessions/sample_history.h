#pragma once

#include "ui/bridge/rows/rows.h"

#include <deque>

namespace sg::ui {

// The samples of one session in the last hour, in order of time.
class SampleHistory {
public:
    static constexpr double kKeptMs = 3'600'000;
    static constexpr double kGapMs = 5000; // a longer time without samples breaks the line

    void add(const std::vector<SampleRow>& samples); // samples out of order are dropped
    void addOlder(const std::vector<SampleRow>& samples); // stored samples from before the live ones
    [[nodiscard]] const std::deque<SampleRow>& samples() const { return m_samples; }
    [[nodiscard]] std::deque<SampleRow>::const_iterator since(double timeMs) const;
    [[nodiscard]] SampleHistory until(double timeMs) const; // only the newest one at that time
    [[nodiscard]] bool isEmpty() const { return m_samples.empty(); }
    // An unchanged number means the same samples, perhaps with later ones added.
    [[nodiscard]] quint64 series() const { return m_series; }

private:
    quint64 m_series = 0; // 0 before the first sample
    std::deque<SampleRow> m_samples;
};

enum class Meter { Memory, Cpu, Processes, Disk };
inline constexpr Meter kMeters[] = { Meter::Memory, Meter::Cpu, Meter::Processes, Meter::Disk };

struct MeterReading {
    QString name; // "Memory"
    QString value; // an en dash before the first sample
    QString limit; // "of 1 GiB", "no limit"
    double limitValue = 0; // in the plot's unit; 0 if there is none
    bool isHot = false; // at 95 % of the limit or above
};
MeterReading readMeter(Meter meter, const SessionRow& session, const SampleHistory& history);

QString meterText(Meter meter, double value);

// The value in cores, bytes or as a count.
double meterValue(Meter meter, const SampleRow& sample);

double meterPeak(Meter meter, const SampleHistory& history, double fromMs);
// The top of the plot's scale, which includes the limit once a quarter of it is used.
double meterTop(Meter meter, double peak, double limit);

} // namespace sg::ui
