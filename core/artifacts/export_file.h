#pragma once

#include "core/base/child_process.h"
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace sg::artifacts {

// A file on its way into a person's folder: nothing has its name before it is whole, nothing that is there is
// replaced. One owner.
class ExportFile {
public:
    static Result<ExportFile> create(const std::filesystem::path& folder); // made where it is missing
    ExportFile(ExportFile&& other) noexcept;
    ExportFile& operator=(ExportFile&&) = delete;
    ~ExportFile(); // without finish(): removed

    Result<void> write(std::string_view bytes);
    // Under `name` (from exportName()), or "name (2)" and so on where that is taken.
    Result<std::filesystem::path> finish(const std::string& name, std::int64_t modifiedNs);

private:
    ExportFile(std::filesystem::path folder, std::filesystem::path temporary, Fd fd);
    std::filesystem::path m_folder;
    std::filesystem::path m_temporary; // empty once it has its name
    Fd m_fd;
};

} // namespace sg::artifacts
