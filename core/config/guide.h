#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace sg::config {

// A chapter of the user's guide, one Markdown file each, in the order of its index.md.
struct GuideChapter {
    std::string name; // "checkpoints" for checkpoints.md
    std::string title;
    std::string summary; // its first paragraph, in one line
    std::string text; // the whole file
};

// Blocks. Errc::NotFound, Io: the installation is incomplete.
Result<std::vector<GuideChapter>> readGuide(const std::filesystem::path& folder);

} // namespace sg::config
