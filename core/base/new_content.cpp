#include "core/base/new_content.h"

#include "core/base/child_process.h"
#include "core/base/errno_error.h"
#include "core/base/hash.h"
#include "core/base/random_bytes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

namespace sg {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kPermissionBits = 07777;

// Links are followed, so that saving through a link changes the file it names instead of replacing the link.
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

fs::path folderOf(const fs::path& file)
{
    return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

int syncFolder(const fs::path& folder)
{
    const Fd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!fd.isOpen())
        return errno == EACCES ? 0 : errno; // a folder one may write in but not list
    return ::fsync(fd.get()) == 0 || errno == EINVAL ? 0 : errno;
}

} // namespace

class NewContent::Temporary {
public:
    static Result<Temporary> create(const fs::path& folder)
    {
        for (int attempt = 0;; ++attempt) {
            std::array<char, 8> random{};
            fillRandomBytes(random.data(), random.size());
            fs::path path = folder / (".sandglass-" + toHex({ random.data(), random.size() }) + ".tmp");
            Fd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
            if (fd.isOpen())
                return Temporary(std::move(fd), std::move(path));
            if (errno != EEXIST || attempt == 16)
                return errnoError(errno, "create a temporary file in " + folder.string());
        }
    }
    Temporary(Temporary&& other) noexcept
        : m_fd(std::move(other.m_fd))
        , m_path(std::exchange(other.m_path, {}))
    {
    }
    Temporary& operator=(Temporary&&) = delete;
    ~Temporary()
    {
        if (!m_path.empty())
            ::unlink(m_path.c_str());
    }

    // Returns 0, or the errno of the failed call.
    int add(std::string_view content)
    {
        while (!content.empty()) {
            const ssize_t written = ::write(m_fd.get(), content.data(), content.size());
            if (written < 0 && errno == EINTR)
                continue;
            if (written < 0)
                return errno;
            content.remove_prefix(static_cast<std::size_t>(written));
        }
        return 0;
    }

    // Returns the same. Close comes before rename because network file systems report a full disk then.
    int finish()
    {
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

    // The owner is kept as far as possible: only root may give files away.
    int takeModeAndOwner(const struct stat& of)
    {
        if (::fchown(m_fd.get(), of.st_uid, of.st_gid) != 0 && errno != EPERM)
            return errno;
        return ::fchmod(m_fd.get(), of.st_mode & kPermissionBits) == 0 ? 0 : errno;
    }

private:
    Temporary(Fd fd, fs::path path)
        : m_fd(std::move(fd))
        , m_path(std::move(path))
    {
    }
    Fd m_fd;
    fs::path m_path;
};

NewContent::NewContent(fs::path path, fs::path target, std::unique_ptr<Temporary> file)
    : m_path(std::move(path))
    , m_target(std::move(target))
    , m_file(std::move(file))
{
}

NewContent::NewContent(NewContent&&) noexcept = default;
NewContent::~NewContent() = default;

Result<NewContent> NewContent::write(const fs::path& path, const NextPiece& next)
{
    const std::string doing = "save " + path.string();
    fs::path target = resolved(path);
    const fs::path folder = folderOf(target);
    struct stat existing { };
    const bool exists = ::stat(target.c_str(), &existing) == 0;
    if (exists && !S_ISREG(existing.st_mode))
        return Error{ Errc::InvalidArgument, doing + ": there is something that is not a regular file" };
    if (exists && ::faccessat(AT_FDCWD, target.c_str(), W_OK, AT_EACCESS) != 0)
        return errnoError(errno, doing);
    auto temporary = Temporary::create(folder);
    if (!temporary)
        return std::move(temporary.error()).during(doing);
    if (exists) {
        if (const int failure = temporary->takeModeAndOwner(existing))
            return errnoError(failure, doing);
    }
    while (true) {
        const auto piece = next();
        if (!piece)
            return piece.error();
        if (piece->empty())
            break;
        if (const int failure = temporary->add(*piece))
            return errnoError(failure, doing);
    }
    if (const int failure = temporary->finish())
        return errnoError(failure, doing);
    return NewContent(path, std::move(target), std::make_unique<Temporary>(std::move(*temporary)));
}

Result<NewContent> NewContent::write(const fs::path& path, std::string_view content)
{
    return write(path, [&content] { return Result<std::string_view>(std::exchange(content, {})); });
}

Result<void> NewContent::putInPlace()
{
    const std::string doing = "save " + m_path.string();
    if (const int failure = m_file->renameTo(m_target))
        return errnoError(failure, doing);
    if (const int failure = syncFolder(folderOf(m_target)))
        return errnoError(failure, doing + " (written, but the folder could not be flushed to disk)");
    return {};
}

} // namespace sg
