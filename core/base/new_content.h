#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string_view>

namespace sg {

// What a file is to hold, on the disk beside it and flushed, but not in its place yet. Gone with this object
// unless it was put there. Keeps mode and owner of a file that exists.
class NewContent {
public:
    static Result<NewContent> write(const std::filesystem::path& path, std::string_view content);
    // Piece by piece, up to an empty one; each stays until the next is asked for. An error is handed on.
    using NextPiece = std::function<Result<std::string_view>()>;
    static Result<NewContent> write(const std::filesystem::path& path, const NextPiece& next);
    NewContent(NewContent&&) noexcept;
    NewContent& operator=(NewContent&&) = delete;
    ~NewContent();

    Result<void> putInPlace(); // once

private:
    class Temporary;
    NewContent(std::filesystem::path path, std::filesystem::path target, std::unique_ptr<Temporary> file);

    std::filesystem::path m_path; // as it was named
    std::filesystem::path m_target; // where its links lead
    std::unique_ptr<Temporary> m_file;
};

} // namespace sg
