#pragma once

#include "core/base/child_process.h"
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace sg::artifacts {

// Writes a file into a person's folder. It gets its name when it is complete and replaces nothing. One owner.
class ExportFile {
public:
    static Result<ExportFile> create(const std::filesystem::path& folder); // makes a missing folder
    ExportFile(ExportFile&& other) noexcept;
    ExportFile& operator=(ExportFile&&) = delete;
    ~ExportFile(); // removes the file unless finish() was called

    Result<void> write(std::string_view bytes);
    // Names it `name` (from exportName()), or "name (2)" and so on if that is taken.
    Result<std::filesystem::path> finish(const std::string& name, std::int64_t modifiedNs);

private:
    ExportFile(std::filesystem::path folder, std::filesystem::path temporary, Fd fd);
    std::filesystem::path m_folder;
    std::filesystem::path m_temporary; // empty once it has its name
    Fd m_fd;
};

} // namespace sg::artifacts
