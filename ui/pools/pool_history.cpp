#include "ui/pools/pool_history.h"

#include <algorithm>
#include <cmath>

namespace sg::ui {
namespace {

constexpr double kMeanSeconds = 5; // rates are means over about so long, as few jobs come in bursts

// The rate now, moved towards what was counted since the look before.
double rateOf(double before, qint64 count, qint64 countBefore, double seconds)
{
    if (seconds <= 0)
        return before;
    const double now = std::max(0.0, static_cast<double>(count - countBefore) / seconds);
    const double share = 1 - std::exp(-seconds / kMeanSeconds);
    return before + (now - before) * share;
}

} // namespace

void PoolHistory::add(const PoolsLook& look)
{
    for (const PoolRow& pool : look.pools) {
        Known& known = m_pools[pool.role];
        PoolSample sample;
        sample.timeMs = look.timeMs;
        sample.waiting = static_cast<double>(pool.ready);
        if (!known.samples.empty()) {
            const PoolSample& before = known.samples.back();
            const double seconds = (look.timeMs - before.timeMs) / 1000;
            sample.done = rateOf(before.done, pool.done, known.done, seconds);
            sample.retries = rateOf(before.retries / 60, pool.retried, known.retried, seconds) * 60;
        }
        known.done = pool.done;
        known.retried = pool.retried;
        known.samples.push_back(sample);
        if (known.samples.size() > kMost)
            known.samples.erase(known.samples.begin());
    }
}

void PoolHistory::clear()
{
    m_pools.clear();
}

const std::vector<PoolSample>& PoolHistory::of(const QString& role) const
{
    static const std::vector<PoolSample> kNone;
    const auto found = m_pools.find(role);
    return found == m_pools.end() ? kNone : found->samples;
}

} // namespace sg::ui
