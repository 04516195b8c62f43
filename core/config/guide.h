#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace sg::config {

// The user's guide that ships with Sandglass: Markdown, one file a chapter, in the order of its index.md.
struct GuideChapter {
    std::string name; // "checkpoints", of checkpoints.md
    std::string title;
    std::string summary; // its first paragraph, in one line
    std::string text; // whole
};

// Blocking. Errc::NotFound, Io: the installation is not complete.
Result<std::vector<GuideChapter>> readGuide(const std::filesystem::path& folder);

} // namespace sg::config
