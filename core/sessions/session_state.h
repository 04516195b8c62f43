#pragma once

#include <string>
#include <string_view>

namespace sg::sessions {

// What a session does, or what became of it. Its words are those of sessions.sqlite and the JSON contract;
// words of another version stay as they are and are of Kind::Other.
class SessionState {
public:
    enum class Kind {
        Starting,
        Waiting, // for room on this machine
        Idle,
        Busy,
        Paused,
        Live, // as it is noted of one that a program has
        Released, // noted: nobody has it
        Kept, // its sandbox lives on, and nobody has it
        InUse, // by another program
        LeftBehind, // by a program that was killed: whoever acquires its thread's session takes it up
        Ended,
        Other,
    };
    // Why it ended, as far as anybody asks.
    enum class End {
        Other,
        ProgramGone, // without a word, and its sandbox with it
        MadeRoom, // for another thread's
        Broken, // its interpreter or sandbox died: out of memory, killed, lost
    };

    SessionState(Kind kind = Kind::Starting); // NOLINT(google-explicit-constructor)
    static SessionState ended(const std::string& why);
    static SessionState parse(std::string text);

    [[nodiscard]] Kind kind() const { return m_kind; }
    [[nodiscard]] bool is(Kind kind) const { return m_kind == kind; }
    [[nodiscard]] bool hasEnded() const { return m_kind == Kind::Ended; }
    [[nodiscard]] const std::string& text() const { return m_text; }
    [[nodiscard]] std::string_view why() const; // it ended; "" where that was not said
    [[nodiscard]] End end() const; // of one that has ended

    // How the reasons begin that end() knows.
    static constexpr std::string_view kProgramIsGone = "its program (pid ";
    static constexpr std::string_view kMadeRoom = "it made room for ";

    friend bool operator==(const SessionState&, const SessionState&) = default;

private:
    Kind m_kind;
    std::string m_text;
};

} // namespace sg::sessions
