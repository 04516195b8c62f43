#pragma once

#include "core/base/result.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string_view>

namespace sg {

// The new content of a file, written and flushed in the file's folder but not in its place yet. The
// destructor removes it unless putInPlace() was called. An existing file keeps its mode and owner.
class NewContent {
public:
    static Result<NewContent> write(const std::filesystem::path& path, std::string_view content);
    // Writes pieces up to an empty one, or an error; each must stay valid until the next is asked for.
    using NextPiece = std::function<Result<std::string_view>()>;
    static Result<NewContent> write(const std::filesystem::path& path, const NextPiece& next);
    NewContent(NewContent&&) noexcept;
    NewContent& operator=(NewContent&&) = delete;
    ~NewContent();

    Result<void> putInPlace(); // called once

private:
    class Temporary;
    NewContent(std::filesystem::path path, std::filesystem::path target, std::unique_ptr<Temporary> file);

    std::filesystem::path m_path; // as it was named
    std::filesystem::path m_target; // the file that its links lead to
    std::unique_ptr<Temporary> m_file;
};

} // namespace sg
