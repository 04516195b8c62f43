#pragma once

#include "ui/sessions/sample_history.h"

#include <deque>

namespace sg::ui {

// The least and greatest samples of one meter for each column of pixels, for plots with more samples than
// pixels. Columns begin at multiples of their length, so that a new sample changes only the last.
class MeterColumns {
public:
    struct Column {
        qint64 index = 0; // the column begins at index * columnMs
        double low = 0;
        double high = 0; // both include the end of the previous column, unless there is a gap
    };
    // Adds the samples since the last call, or all of them if the history or the length has changed.
    void update(Meter meter, const SampleHistory& history, double columnMs, double spanMs);
    [[nodiscard]] const std::deque<Column>& columns() const { return m_columns; }
    [[nodiscard]] qint64 lastIndex() const { return m_columns.empty() ? 0 : m_columns.back().index; }
    [[nodiscard]] double peak() const;

private:
    void take(double value, double timeMs, double columnMs);

    quint64 m_series = 0;
    double m_columnMs = 0;
    double m_lastMs = 0; // time of the newest sample added
    double m_lastValue = 0;
    std::deque<Column> m_columns;
};

} // namespace sg::ui
