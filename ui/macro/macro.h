#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace sg::ui {

// The viewed checkpoint: the head, a step of the shown branch, or a checkpoint's id.
struct MacroHead {
    friend bool operator==(MacroHead, MacroHead) = default;
};
using MacroPlace = std::variant<MacroHead, int, std::string>;

// One step: choices, then a command, then a wait. Each part is optional, but not all.
struct MacroStep {
    std::optional<std::string> thread;
    std::optional<MacroPlace> checkpoint;
    std::optional<std::string> node; // an empty text clears the selection
    std::optional<std::string> input; // JSON input of the following runs
    std::string command; // id; empty for none
    bool waitsForRun = false; // for the run that the command starts; without a command, for the running one
    std::string expect; // expected status of that run; if empty, any except a failure
    int timeoutSeconds = 600; // limit of the wait
    friend bool operator==(const MacroStep&, const MacroStep&) = default;
};

struct Macro {
    std::string name;
    std::vector<MacroStep> steps;
    friend bool operator==(const Macro&, const Macro&) = default;
};

} // namespace sg::ui
