#pragma once

#include "core/base/result.h"
#include "core/projects/project.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

// These functions edit the code files that a graph names. Names are relative to the project's folder and must
// not lead out of it, not even by links (Errc::InvalidArgument). Any thread.

namespace sg::projects {

inline constexpr std::size_t kMostCode = 4U << 20; // bytes

struct CodeText {
    std::string text;
    bool exists = false;
};

// Errc::InvalidArgument: the file is no UTF-8 text, or larger than kMostCode.
Result<CodeText> readCode(const ProjectPaths& project, const std::string& name);

// Writes atomically and makes missing folders. `expected` is the text read before, nullopt if there was no
// file. If the file holds something else now, nothing is written (Errc::Conflict).
Result<void> saveCode(const ProjectPaths& project, const std::string& name, std::string_view text,
                      const std::optional<std::string>& expected);

bool isText(const std::string& bytes); // UTF-8 without zeros

Result<std::filesystem::path> codePath(const std::filesystem::path& folder, const std::string& name);

// Returns the text of a new code file: a function that changes nothing.
std::string_view newCode();

inline constexpr std::size_t kMostGraphText = 32U << 20; // bytes of a graph's file

// Writes an edited graph to its file, atomically. `expected` is the text on which the edits are based. If the
// file holds something else now, nothing is written (Errc::Conflict). Missing code files of python nodes are
// made, with a function that changes nothing. Any thread.
Result<void> saveGraphText(const ProjectPaths& project, std::string_view text, std::string_view expected);

// Returns a file's text as git has it at `revision` ("HEAD", a branch, a commit). Nothing in the repository
// is executed. Errc::NotFound: there is no git, no repository, or no such file in the revision.
Result<std::string> committedText(const std::filesystem::path& file, const std::string& revision);

} // namespace sg::projects
