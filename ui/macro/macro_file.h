#pragma once

#include "core/base/result.h"
#include "ui/macro/macro.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace sg::ui {

inline constexpr std::string_view kMacroEnding = ".macro.json";

// Errors tell the place and the known keys: "line 4, column 7 (/steps/1/comand): …".
Result<Macro> parseMacro(std::string_view text);
Result<Macro> loadMacro(const std::filesystem::path& file);
std::string macroText(const Macro& macro); // one step a line, for readable diffs

} // namespace sg::ui
