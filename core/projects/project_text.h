#pragma once

#include "core/base/result.h"
#include "core/projects/project.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

// The code files that a graph names, as they are edited. Names are relative to the project's folder and lead
// nowhere else, also not by links (Errc::InvalidArgument). Any thread.

namespace sg::projects {

inline constexpr std::size_t kMostCode = 4U << 20; // bytes

struct CodeText {
    std::string text;
    bool exists = false;
};

// Errc::InvalidArgument for what is no text in UTF-8 or larger than kMostCode.
Result<CodeText> readCode(const ProjectPaths& project, const std::string& name);

// Atomically, with the folders above it. `expected`: what was read before, none where there was no file;
// where something else stands there by now nothing is written (Errc::Conflict).
Result<void> saveCode(const ProjectPaths& project, const std::string& name, std::string_view text,
                      const std::optional<std::string>& expected);

bool isText(const std::string& bytes); // UTF-8 without zeros

Result<std::filesystem::path> codePath(const std::filesystem::path& folder, const std::string& name);

// What a new code file holds: a function that changes nothing.
std::string_view newCode();

inline constexpr std::size_t kMostGraphText = 32U << 20; // bytes of a graph's file

// Puts an edited graph into its file, atomically. `expected`: what stood there when the editing began; where
// the file holds something else by now nothing is written (Errc::Conflict). Code files that python nodes name
// and that do not exist are made, with a function that changes nothing. Any thread.
Result<void> saveGraphText(const ProjectPaths& project, std::string_view text, std::string_view expected);

// The text of a file as git has it at `revision` ("HEAD", a branch, a commit). Nothing of the repository is
// executed. Errc::NotFound where there is no git, no repository, or the revision has no such file.
Result<std::string> committedText(const std::filesystem::path& file, const std::string& revision);

} // namespace sg::projects
