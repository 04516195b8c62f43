#pragma once

#include "ui/bridge/rows/rows.h"

#include <QString>

namespace sg::ui {

// Pattern for the names of copies: text with {name} (the file's own), its {stem} and {ending}, {thread},
// {step}, {node} and {run}. Characters that file names cannot have are replaced when the copy is made.
inline constexpr const char* kOwnName = "{name}";
inline constexpr const char* kThreadStepName = "{thread}-{step}-{name}";

// The name by that pattern, or the artifact's own if the result is empty. Fields are inserted literally, and
// a slash in a field makes no folder.
QString copyName(const QString& pattern, const ArtifactRow& artifact);
// Returns why the pattern is wrong: "{nane} is not known"; empty if it is right.
QString patternFault(const QString& pattern);

} // namespace sg::ui
