#pragma once

#include <string>
#include <vector>

namespace sg::sessions {
class SessionManager;
}

namespace sg::config {

// One thing about this machine that sandboxes rest on.
struct SelfCheck {
    enum class State {
        Good,
        Weak, // it works, and holds less than it could
        Broken, // sessions of that kind cannot be started, or must not be
        Absent, // not there, and not needed
    };
    std::string name; // "bubblewrap", "user namespaces"
    State state = State::Good;
    std::string text; // what is so
    std::string mend; // what to do about it; empty where nothing is
};

// Looks at this machine and, with `starts`, starts a sandbox on each backend that can be used to try its way
// to the network. Takes seconds. Changes nothing.
std::vector<SelfCheck> checkMachine(sessions::SessionManager& sessions, bool starts);

} // namespace sg::config
