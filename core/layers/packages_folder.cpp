#include "core/layers/packages_folder.h"

#include "core/base/child_process.h"
#include "core/base/errno_error.h"
#include "core/base/folder_entries.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>

namespace sg::layers {
namespace {

constexpr int kMostDepth = 64;
constexpr std::int64_t kMostFiles = 500'000;
constexpr mode_t kFolderMode = 0755;

class Taking {
public:
    explicit Taking(bool changes)
        : m_changes(changes)
    {
    }

    Result<void> folder(int fd, const std::string& path, int depth)
    {
        if (depth > kMostDepth || m_size.files > kMostFiles)
            return Error{ Errc::LimitExceeded, path + ": too many files, or too deeply nested" };
        if (m_changes && (own(fd) != 0 || ::fchmod(fd, kFolderMode) != 0))
            return errnoError(errno, "take over " + path);
        return eachEntry(fd, path,
                         [&](const std::string& name) { return entry(fd, name, path + '/' + name, depth); });
    }
    [[nodiscard]] FolderSize size() const { return m_size; }

private:
    static int own(int fd) { return ::geteuid() == 0 ? ::fchown(fd, 0, 0) : 0; }

    Result<void> entry(int parent, const std::string& name, const std::string& path, int depth)
    {
        struct stat state { };
        if (::fstatat(parent, name.c_str(), &state, AT_SYMLINK_NOFOLLOW) != 0)
            return errno == ENOENT && !m_changes ? Result<void>() : errnoError(errno, "look at " + path);
        ++m_size.files;
        if (S_ISLNK(state.st_mode)) {
            if (m_changes && ::geteuid() == 0
                && ::fchownat(parent, name.c_str(), 0, 0, AT_SYMLINK_NOFOLLOW) != 0)
                return errnoError(errno, "take over " + path);
            return {};
        }
        if (!S_ISREG(state.st_mode) && !S_ISDIR(state.st_mode))
            return Error{ Errc::Corrupt, path + " is neither a file nor a folder" };
        if (S_ISREG(state.st_mode)) {
            m_size.bytes += std::int64_t{ state.st_blocks } * 512;
            if (!m_changes)
                return {};
        }
        const Fd fd(::openat(parent, name.c_str(),
                             O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
                                 | (S_ISDIR(state.st_mode) ? O_DIRECTORY : 0)));
        if (!fd.isOpen())
            return m_changes ? errnoError(errno, "open " + path) : Result<void>();
        if (S_ISDIR(state.st_mode))
            return folder(fd.get(), path, depth + 1);
        const mode_t mode = (state.st_mode & 0111) != 0 ? 0755 : 0644;
        if (own(fd.get()) != 0 || ::fchmod(fd.get(), mode) != 0)
            return errnoError(errno, "take over " + path);
        return {};
    }

    const bool m_changes;
    FolderSize m_size;
};

} // namespace

Result<FolderSize> takeOver(const std::filesystem::path& folder)
{
    const Fd root(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!root.isOpen())
        return errnoError(errno, "open folder " + folder.string());
    Taking taking(true);
    if (auto taken = taking.folder(root.get(), folder.string(), 0); !taken)
        return std::move(taken.error());
    return taking.size();
}

FolderSize sizeOf(const std::filesystem::path& folder)
{
    const Fd root(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    Taking looking(false);
    if (root.isOpen())
        static_cast<void>(looking.folder(root.get(), folder.string(), 0));
    return looking.size();
}

} // namespace sg::layers
