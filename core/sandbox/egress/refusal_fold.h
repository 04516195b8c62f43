#pragma once

#include "core/base/clock.h"
#include "core/sandbox/egress/egress_connection.h"

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace sg::sandbox::egress {

// RefusalFold bounds the reports of refusals, so that code which asks without end fills no log: the first of
// a kind is reported at once, further ones together each second, at most kMostRefusals rows a minute, and one
// more row counts all that found no room. No refusal is left out of the counts. One thread at a time.
class RefusalFold {
public:
    static constexpr int kMostRefusals = 60;

    // Adds a refusal and returns what is to be reported now.
    std::vector<EgressDecision> take(const EgressDecision& refusal, SteadyTime now);
    // Returns what is to be reported because a second, or the minute, is over.
    std::vector<EgressDecision> due(SteadyTime now);
    // Returns all that is unreported, at the end.
    std::vector<EgressDecision> rest();
    // True where due() has something to report or to forget.
    [[nodiscard]] bool isWaiting() const { return !m_kinds.empty() || m_left > 0; }

private:
    struct Kind {
        EgressDecision refusal; // times: how many are unreported
        SteadyTime since;
    };
    using Key = std::tuple<EgressDecision::Outcome, std::string, std::string>; // place and reason

    bool hasRoom();
    void tellMinute(std::vector<EgressDecision>& told);

    std::map<Key, Kind> m_kinds; // reported within the last second
    SteadyTime m_minute{}; // its start
    int m_rows = 0; // in this minute
    int m_left = 0; // refusals of this minute without a row
};

} // namespace sg::sandbox::egress
