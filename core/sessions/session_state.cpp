#include "core/sessions/session_state.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sg::sessions {
namespace {

using Kind = SessionState::Kind;

struct StateWord {
    Kind kind;
    std::string_view word;
};

constexpr std::string_view kEnded = "ended";
constexpr std::string_view kEndedWhy = "ended: ";
constexpr std::string_view kInUse = "in use by"; // followed by who uses it
constexpr std::array kStateWords{
    StateWord{ Kind::Starting, "starting" },
    StateWord{ Kind::Waiting, "waiting" },
    StateWord{ Kind::Idle, "idle" },
    StateWord{ Kind::Busy, "busy" },
    StateWord{ Kind::Paused, "paused" },
    StateWord{ Kind::Live, "live" },
    StateWord{ Kind::Released, "released" },
    StateWord{ Kind::Kept, "kept" },
    StateWord{ Kind::InUse, "in use by another program" },
    StateWord{ Kind::LeftBehind, "left by a program that is gone" },
    StateWord{ Kind::Ended, kEnded },
    StateWord{ Kind::Other, "" },
};

} // namespace

SessionState::SessionState(Kind kind)
    : m_kind(kind)
    , m_text(std::ranges::find(kStateWords, kind, &StateWord::kind)->word)
{
}

SessionState SessionState::ended(const std::string& why)
{
    return parse(std::string(kEndedWhy) + why);
}

SessionState SessionState::parse(std::string text)
{
    SessionState state(Kind::Other);
    if (text.starts_with(kEnded))
        state.m_kind = Kind::Ended;
    else if (text.starts_with(kInUse))
        state.m_kind = Kind::InUse;
    else if (const auto known = std::ranges::find(kStateWords, text, &StateWord::word);
             known != kStateWords.end())
        state.m_kind = known->kind;
    state.m_text = std::move(text);
    return state;
}

std::string_view SessionState::why() const
{
    return m_text.starts_with(kEndedWhy) ? std::string_view(m_text).substr(kEndedWhy.size())
                                         : std::string_view();
}

SessionState::End SessionState::end() const
{
    if (why() == kWasAsked)
        return End::Asked;
    if (why().starts_with(kProgramIsGone))
        return End::ProgramGone;
    if (why().starts_with(kMadeRoom))
        return End::MadeRoom;
    const auto says = [this](std::string_view word) { return why().find(word) != std::string_view::npos; };
    return says("memory") || says("died") || says("lost") ? End::Broken : End::Other;
}

} // namespace sg::sessions
