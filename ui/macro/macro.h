#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace sg::ui {

// Where the cursor is to stand: the head, a step of the branch that is shown, or one checkpoint by its id.
struct MacroHead {
    friend bool operator==(MacroHead, MacroHead) = default;
};
using MacroPlace = std::variant<MacroHead, int, std::string>;

// What is chosen, then the command, then the wait; each of them may be missing, not all.
struct MacroStep {
    std::optional<std::string> thread;
    std::optional<MacroPlace> checkpoint;
    std::optional<std::string> node; // empty: none
    std::optional<std::string> input; // JSON text, of the runs that follow
    std::string command; // its id; empty: none
    bool waitsForRun = false; // that the command starts; without a command: that is under way
    std::string expect; // how that run ends; empty: not by a failure
    int timeoutSeconds = 600; // of the wait
    friend bool operator==(const MacroStep&, const MacroStep&) = default;
};

struct Macro {
    std::string name;
    std::vector<MacroStep> steps;
    friend bool operator==(const Macro&, const Macro&) = default;
};

} // namespace sg::ui
