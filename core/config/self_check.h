#pragma once

#include <string>
#include <vector>

namespace sg::sessions {
class SessionManager;
}

namespace sg::config {

// One property of this machine that sandboxes depend on.
struct SelfCheck {
    enum class State {
        Good,
        Weak, // it works, but protects less than it could
        Broken, // sessions of that kind cannot be started, or must not be
        Absent, // missing and not needed
    };
    std::string name; // "bubblewrap", "user namespaces"
    State state = State::Good;
    std::string text; // what was found
    std::string mend; // how to improve it; empty: nothing to do
};

// Checks this machine. With `starts` it also starts a sandbox on each usable backend and tries its network.
// It takes seconds and changes nothing.
std::vector<SelfCheck> checkMachine(sessions::SessionManager& sessions, bool starts);

} // namespace sg::config
