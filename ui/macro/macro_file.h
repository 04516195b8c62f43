#pragma once

#include "core/base/result.h"
#include "ui/macro/macro.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace sg::ui {

inline constexpr std::string_view kMacroEnding = ".macro.json";

// The errors say where: "line 4, column 7 (/steps/1/comand): …", and what is known there.
Result<Macro> parseMacro(std::string_view text);
Result<Macro> loadMacro(const std::filesystem::path& file);
std::string macroText(const Macro& macro); // one step a line, so that its changes read well

} // namespace sg::ui
