#include "core/base/file.h"

#include "core/base/child_process.h"
#include "core/base/errno_error.h"
#include "core/base/hash.h"
#include "core/base/random_bytes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace sg {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kPermissionBits = 07777;

// Gone with this object unless it was renamed into place.
class TemporaryFile {
public:
    static Result<TemporaryFile> create(const fs::path& folder)
    {
        for (int attempt = 0;; ++attempt) {
            std::array<char, 8> random{};
            fillRandomBytes(random.data(), random.size());
            fs::path path = folder / (".sandglass-" + toHex({ random.data(), random.size() }) + ".tmp");
            Fd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
            if (fd.isOpen())
                return TemporaryFile(std::move(fd), std::move(path));
            if (errno != EEXIST || attempt == 16)
                return errnoError(errno, "create a temporary file in " + folder.string());
        }
    }
    TemporaryFile(TemporaryFile&& other) noexcept
        : m_fd(std::move(other.m_fd))
        , m_path(std::exchange(other.m_path, {}))
    {
    }
    TemporaryFile& operator=(TemporaryFile&&) = delete;
    ~TemporaryFile()
    {
        if (!m_path.empty())
            ::unlink(m_path.c_str());
    }

    // 0, or the errno of what failed. Close comes before rename because network file systems report a full
    // disk then.
    int writeOut(std::string_view content)
    {
        while (!content.empty()) {
            const ssize_t written = ::write(m_fd.get(), content.data(), content.size());
            if (written < 0 && errno == EINTR)
                continue;
            if (written < 0)
                return errno;
            content.remove_prefix(static_cast<std::size_t>(written));
        }
        if (::fsync(m_fd.get()) != 0)
            return errno;
        return ::close(m_fd.take()) == 0 ? 0 : errno;
    }

    int renameTo(const fs::path& target)
    {
        if (::rename(m_path.c_str(), target.c_str()) != 0)
            return errno;
        m_path.clear();
        return 0;
    }

    // Best effort for the owner: only root may give files away.
    int takeModeAndOwner(const struct stat& of)
    {
        if (::fchown(m_fd.get(), of.st_uid, of.st_gid) != 0 && errno != EPERM)
            return errno;
        return ::fchmod(m_fd.get(), of.st_mode & kPermissionBits) == 0 ? 0 : errno;
    }

private:
    TemporaryFile(Fd fd, fs::path path)
        : m_fd(std::move(fd))
        , m_path(std::move(path))
    {
    }
    Fd m_fd;
    fs::path m_path;
};

// Follows links, so that saving through a link changes the file it names instead of replacing the link.
fs::path resolved(const fs::path& path)
{
    std::error_code error;
    if (fs::is_symlink(path, error)) {
        fs::path real = fs::weakly_canonical(path, error);
        if (!error)
            return real;
    }
    return path;
}

int syncFolder(const fs::path& folder)
{
    const Fd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!fd.isOpen())
        return errno == EACCES ? 0 : errno; // a folder one may write in but not list
    return ::fsync(fd.get()) == 0 || errno == EINVAL ? 0 : errno;
}

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
                        '\0'); // one more to see the end in one read
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
    const std::string doing = "save " + path.string();
    const fs::path target = resolved(path);
    const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
    struct stat existing { };
    const bool exists = ::stat(target.c_str(), &existing) == 0;
    if (exists && !S_ISREG(existing.st_mode))
        return Error{ Errc::InvalidArgument, doing + ": there is something that is not a regular file" };
    if (exists && ::faccessat(AT_FDCWD, target.c_str(), W_OK, AT_EACCESS) != 0)
        return errnoError(errno, doing);

    auto temporary = TemporaryFile::create(folder);
    if (!temporary)
        return std::move(temporary.error()).during(doing);
    if (exists) {
        if (const int failure = temporary->takeModeAndOwner(existing))
            return errnoError(failure, doing);
    }
    if (const int failure = temporary->writeOut(content))
        return errnoError(failure, doing);
    if (const int failure = temporary->renameTo(target))
        return errnoError(failure, doing);
    if (const int failure = syncFolder(folder))
        return errnoError(failure, doing + " (written, but the folder could not be flushed to disk)");
    return {};
}

} // namespace sg
