#pragma once

#include "core/base/clock.h"
#include "core/sandbox/egress/egress_connection.h"

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace sg::sandbox::egress {

// How a session's refusals are told, so that code which asks without end fills no log: the first of a kind at
// once, those like it as one each second, at most kMostRefusals rows a minute, and one row for all that found
// no room among them. Nothing is left out of the count. One thread at a time.
class RefusalFold {
public:
    static constexpr int kMostRefusals = 60;

    // One more; what is to be told now.
    std::vector<EgressDecision> take(const EgressDecision& refusal, SteadyTime now);
    // What is to be told because its second, or the minute, is over.
    std::vector<EgressDecision> due(SteadyTime now);
    // All that was not told yet: there will be no more.
    std::vector<EgressDecision> rest();
    // There is something that due() will tell, or forget.
    [[nodiscard]] bool isWaiting() const { return !m_kinds.empty() || m_left > 0; }

private:
    struct Kind {
        EgressDecision refusal; // times: how many are not told yet
        SteadyTime since;
    };
    using Key = std::tuple<EgressDecision::Outcome, std::string, std::string>; // place and reason

    bool hasRoom();
    void tellMinute(std::vector<EgressDecision>& told);

    std::map<Key, Kind> m_kinds; // told within the last second
    SteadyTime m_minute{}; // when it began
    int m_rows = 0; // in it
    int m_left = 0; // refusals in it without a row
};

} // namespace sg::sandbox::egress
