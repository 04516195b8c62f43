#pragma once

#include <string>
#include <string_view>

namespace sg::sessions {

// SessionState is what a session does, or what became of it. Its text is that of sessions.sqlite and the JSON
// contract; words of other versions stay as they are and are of Kind::Other.
class SessionState {
public:
    enum class Kind {
        Starting,
        Waiting, // for room on this machine
        Idle,
        Busy,
        Paused,
        Live, // in records: a program has it
        Released, // in records: no program has it
        Kept, // its sandbox lives on without a program
        InUse, // by another program
        LeftBehind, // by a killed program; whoever acquires the thread's session takes it up
        Ended,
        Other,
    };
    // The reason why it ended, where a caller needs to know.
    enum class End {
        Other,
        Asked, // for by somebody
        ProgramGone, // its program ended unrecorded, and its sandbox with it
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

    // The reasons, or their prefixes, that end() recognises.
    static constexpr std::string_view kWasAsked = "the session was ended";
    static constexpr std::string_view kProgramIsGone = "its program (pid ";
    static constexpr std::string_view kMadeRoom = "it made room for ";

    friend bool operator==(const SessionState&, const SessionState&) = default;

private:
    Kind m_kind;
    std::string m_text;
};

} // namespace sg::sessions
