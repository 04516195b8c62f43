#pragma once

#include "ui/bridge/rows/pool_rows.h"

#include <QHash>

#include <vector>

namespace sg::ui {

// A pool at one moment.
struct PoolSample {
    double timeMs = 0;
    double waiting = 0; // jobs
    double done = 0; // a second, since the look before
    double retries = 0; // a minute, likewise
};

// Keeps what the page saw of each pool while it was open, at most an hour of it. Where a server's counters
// begin anew, no rate becomes negative.
class PoolHistory {
public:
    static constexpr std::size_t kMost = 3600;

    void add(const PoolsLook& look);
    void clear();
    [[nodiscard]] const std::vector<PoolSample>& of(const QString& role) const; // empty: never seen

private:
    struct Known {
        std::vector<PoolSample> samples;
        qint64 done = 0;
        qint64 retried = 0;
    };
    QHash<QString, Known> m_pools;
};

} // namespace sg::ui
