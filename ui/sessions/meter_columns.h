#pragma once

#include "ui/sessions/sample_history.h"

#include <deque>

namespace sg::ui {

// One meter's samples where there are more of them than pixels: of each column of pixels the least and the
// most. Columns begin at multiples of their length, so that a new sample changes the last of them alone.
class MeterColumns {
public:
    struct Column {
        qint64 index = 0; // begins at index * columnMs
        double low = 0;
        double high = 0; // both with where the column before ended, unless there is a gap between them
    };
    // Takes what came since the last call; everything, where the history or the length is another.
    void update(Meter meter, const SampleHistory& history, double columnMs, double spanMs);
    [[nodiscard]] const std::deque<Column>& columns() const { return m_columns; }
    [[nodiscard]] qint64 lastIndex() const { return m_columns.empty() ? 0 : m_columns.back().index; }
    [[nodiscard]] double peak() const;

private:
    void take(double value, double timeMs, double columnMs);

    quint64 m_series = 0;
    double m_columnMs = 0;
    double m_lastMs = 0; // of the newest sample that was taken
    double m_lastValue = 0;
    std::deque<Column> m_columns;
};

} // namespace sg::ui
