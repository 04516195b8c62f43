#pragma once

#include "core/base/word.h"

#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace sg::rewind {

// Says what a run does with its thread's sandbox before it goes on.
enum class SandboxChoice {
    Restore, // restores the checkpoint's snapshot as exactly as possible; the default
    Exact, // like Restore, but the run fails if it is not exact
    Stored, // restores what was stored, even if the interpreter still sleeps
    Fresh, // starts with an empty sandbox
    Keep, // leaves it as the last run left it
};
constexpr auto namesOf(SandboxChoice)
{
    return std::to_array<std::pair<SandboxChoice, std::string_view>>({
        { SandboxChoice::Restore, "restore" },
        { SandboxChoice::Exact, "exact" },
        { SandboxChoice::Stored, "stored" },
        { SandboxChoice::Fresh, "fresh" },
        { SandboxChoice::Keep, "keep" },
    });
}
constexpr std::optional<SandboxChoice> sandboxChoiceNamed(std::string_view name) // "" is Restore
{
    return name.empty() ? SandboxChoice::Restore : kindNamed<SandboxChoice>(name);
}

} // namespace sg::rewind
