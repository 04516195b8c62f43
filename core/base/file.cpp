#include "core/base/file.h"

#include "core/base/child_process.h"
#include "core/base/errno_error.h"
#include "core/base/new_content.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace sg {
namespace {

namespace fs = std::filesystem;

Error tooLarge(const fs::path& path, std::size_t limit)
{
    return { Errc::InvalidArgument,
             "read " + path.string() + ": larger than the " + std::to_string(limit)
                 + " bytes that are accepted" };
}

} // namespace

Result<std::string> readFile(const fs::path& path, std::size_t limit)
{
    const std::string doing = "read " + path.string();
    const Fd fd(
        ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)); // a FIFO must not block here
    if (!fd.isOpen())
        return errnoError(errno, doing);
    struct stat info { };
    if (::fstat(fd.get(), &info) != 0)
        return errnoError(errno, doing);
    if (!S_ISREG(info.st_mode))
        return Error{ Errc::InvalidArgument,
                      doing + (S_ISDIR(info.st_mode) ? ": it is a folder" : ": not a regular file") };
    if (static_cast<std::uintmax_t>(info.st_size) > limit)
        return tooLarge(path, limit);

    std::string content(static_cast<std::size_t>(info.st_size) + 1,
                        '\0'); // one more, to see the end in one read
    std::size_t size = 0;
    while (true) {
        if (size == content.size())
            content.resize(content.size() + std::max<std::size_t>(content.size(), 4096));
        const ssize_t got = ::read(fd.get(), content.data() + size, content.size() - size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return errnoError(errno, doing);
        if (got == 0)
            break;
        size += static_cast<std::size_t>(got);
        if (size > limit)
            return tooLarge(path, limit);
    }
    content.resize(size);
    return content;
}

Result<void> writeFileAtomically(const fs::path& path, std::string_view content)
{
    auto written = NewContent::write(path, content);
    if (!written)
        return std::move(written.error());
    return written->putInPlace();
}

} // namespace sg
