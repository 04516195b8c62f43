#pragma once

#include "core/base/word.h"

#include <array>
#include <string_view>
#include <utility>

namespace sg::sessions {

// The events of a session, in the words of its notes.
enum class SessionEventKind {
    Started,
    Ended,
    Restarted,
    Sample,
    Waiting,
    Paused,
    Unpaused,
    LimitsChanged,
    Extended,
    TakenOver
};
constexpr auto namesOf(SessionEventKind)
{
    using Kind = SessionEventKind;
    return std::to_array<std::pair<Kind, std::string_view>>({
        { Kind::Started, "started" },
        { Kind::Ended, "ended" },
        { Kind::Restarted, "restarted" },
        { Kind::Sample, "sample" },
        { Kind::Waiting, "waiting" },
        { Kind::Paused, "paused" },
        { Kind::Unpaused, "unpaused" },
        { Kind::LimitsChanged, "limits" },
        { Kind::Extended, "extended" },
        { Kind::TakenOver, "taken over" },
    });
}

} // namespace sg::sessions
