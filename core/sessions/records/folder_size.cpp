#include "core/sessions/records/folder_size.h"

#include "core/base/child_process.h"
#include "core/base/folder_entries.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <string>

namespace sg::sessions {
namespace {

constexpr int kMostEntries = 1'000'000;
constexpr int kMostDepth = 200; // each level takes a descriptor
constexpr std::int64_t kBlock = 512; // the unit of st_blocks
constexpr std::int64_t kEntry = 512; // an inode and its name

class Walk {
public:
    void folder(int fd, int depth)
    {
        const auto read = eachEntry(fd, {}, [&](const std::string& name) { return entry(fd, name, depth); });
        m_size.isWhole = m_size.isWhole && read;
    }

    [[nodiscard]] FolderSize size() const { return m_size; }

private:
    // A failure ends the walk: the size is not whole.
    Result<void> entry(int fd, const std::string& name, int depth)
    {
        if (++m_entries > kMostEntries)
            return Error{ Errc::LimitExceeded, "too many entries" };
        struct stat info { };
        if (::fstatat(fd, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0)
            return errno == ENOENT ? Result<void>() : Error{ Errc::Io, "an entry cannot be looked at" };
        m_size.bytes += kEntry + static_cast<std::int64_t>(info.st_blocks) * kBlock;
        if (!S_ISDIR(info.st_mode))
            return {};
        if (depth == kMostDepth)
            return Error{ Errc::LimitExceeded, "too deep" };
        const Fd below(::openat(fd, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
        if (!below.isOpen()) // it may have been replaced meanwhile: the next look sees what is there then
            return errno == ENOENT || errno == ENOTDIR || errno == ELOOP
                ? Result<void>()
                : Error{ Errc::PermissionDenied, "a folder cannot be read" };
        folder(below.get(), depth + 1);
        return m_size.isWhole ? Result<void>() : Error{ Errc::LimitExceeded, "not whole" };
    }

    FolderSize m_size;
    int m_entries = 0;
};

} // namespace

FolderSize folderSize(int folder)
{
    Walk walk;
    walk.folder(folder, 1);
    return walk.size();
}

} // namespace sg::sessions
