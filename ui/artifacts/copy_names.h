#pragma once

#include "ui/bridge/rows/rows.h"

#include <QString>

namespace sg::ui {

// How copies of artifacts are named outside: text with {name} (the file's own), {stem} and {ending} of it,
// {thread}, {step}, {node} and {run} in it. What no desktop takes in a name is replaced when the copy is
// made.
inline constexpr const char* kOwnName = "{name}";
inline constexpr const char* kThreadStepName = "{thread}-{step}-{name}";

// The name by that pattern; the artifact's own where the pattern has none. Parts are never read as patterns
// again, and a slash in one is no folder.
QString copyName(const QString& pattern, const ArtifactRow& artifact);
// Why it is none: "{nane} is not known"; empty: it is one.
QString patternFault(const QString& pattern);

} // namespace sg::ui
