#pragma once

#include <string>

namespace sg::artifacts {

// "plot.png", "plot (2).png", "plot (3).png" …; `name` comes from exportName().
std::string numberedExportName(const std::string& name, int number);

} // namespace sg::artifacts
