#include "core/sandbox/egress/refusal_fold.h"

#include <utility>

namespace sg::sandbox::egress {
namespace {

using namespace std::chrono_literals;

constexpr auto kTogether = 1s;
constexpr auto kMinute = 60s;

} // namespace

bool RefusalFold::hasRoom()
{
    if (m_rows >= kMostRefusals)
        return false;
    ++m_rows;
    return true;
}

void RefusalFold::tellMinute(std::vector<EgressDecision>& told)
{
    if (m_left > 0)
        told.push_back({ EgressDecision::Outcome::Denied,
                         {},
                         {},
                         {},
                         "more refusals than a minute has rows for",
                         {},
                         std::exchange(m_left, 0) });
    m_rows = 0;
}

std::vector<EgressDecision> RefusalFold::due(SteadyTime now)
{
    std::vector<EgressDecision> told;
    for (auto it = m_kinds.begin(); it != m_kinds.end();) {
        Kind& kind = it->second;
        if (now - kind.since < kTogether) {
            ++it;
            continue;
        }
        if (kind.refusal.times == 0) {
            it = m_kinds.erase(it);
            continue;
        }
        if (hasRoom())
            told.push_back(kind.refusal);
        else
            m_left += kind.refusal.times;
        kind.refusal.times = 0;
        kind.since = now;
        ++it;
    }
    if (now - m_minute >= kMinute) {
        tellMinute(told);
        m_minute = now;
    }
    return told;
}

std::vector<EgressDecision> RefusalFold::take(const EgressDecision& refusal, SteadyTime now)
{
    std::vector<EgressDecision> told = due(now);
    Key key(refusal.outcome, refusal.place, refusal.reason);
    if (const auto found = m_kinds.find(key); found != m_kinds.end()) {
        ++found->second.refusal.times;
        return told;
    }
    if (!hasRoom()) {
        ++m_left;
        return told;
    }
    Kind& kind = m_kinds[std::move(key)];
    kind = { refusal, now };
    kind.refusal.times = 0;
    told.push_back(refusal);
    return told;
}

std::vector<EgressDecision> RefusalFold::rest()
{
    std::vector<EgressDecision> told;
    for (auto& [key, kind] : std::exchange(m_kinds, {}))
        if (kind.refusal.times > 0)
            told.push_back(std::move(kind.refusal));
    tellMinute(told);
    return told;
}

} // namespace sg::sandbox::egress
