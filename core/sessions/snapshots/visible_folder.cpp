#include "core/sessions/snapshots/visible_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <memory>
#include <system_error>

namespace sg::sessions {
namespace {

constexpr std::size_t kDeepest = 128;
constexpr std::size_t kMostVisible = 1'000'000;
constexpr std::string_view kUnfinished = ".sandglass-part"; // name of a file that is being restored

struct CloseFolder {
    void operator()(DIR* folder) const { ::closedir(folder); }
};

bool isDots(const char* name)
{
    return name[0] == '.' && (name[1] == '\0' || (name[1] == '.' && name[2] == '\0'));
}

std::string reasonOf(int number)
{
    return std::generic_category().message(number);
}

} // namespace

Fd VisibleFolder::openBeneath(const std::string& path, std::uint64_t flags) const
{
    open_how how{};
    how.flags = flags | O_CLOEXEC;
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
    const char* const name = path.empty() ? "." : path.c_str();
    return Fd(static_cast<int>(::syscall(SYS_openat2, m_root.get(), name, &how, sizeof how)));
}

std::vector<VisibleFolder::Problem> VisibleFolder::walk(const Visit& visit) const
{
    struct Folder {
        std::string path; // "" or with a slash at its end
        std::size_t depth;
    };
    std::vector<Problem> problems;
    std::vector<Folder> waiting{ { "", 0 } };
    std::size_t count = 0;
    while (!waiting.empty()) {
        const Folder folder = std::move(waiting.back());
        waiting.pop_back();
        Fd opened = openBeneath(folder.path, O_RDONLY | O_DIRECTORY);
        const std::unique_ptr<DIR, CloseFolder> list(opened.isOpen() ? ::fdopendir(opened.get()) : nullptr);
        if (!list) {
            problems.push_back({ folder.path, reasonOf(errno) });
            continue;
        }
        const int number = opened.take(); // the directory stream owns it now
        std::string path = folder.path;
        while (const dirent* const entry = ::readdir(list.get())) {
            struct stat found { };
            const std::string_view name = entry->d_name;
            if (isDots(entry->d_name) || name == kUnfinished
                || ::fstatat(number, entry->d_name, &found, AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT) != 0)
                continue;
            path.resize(folder.path.size());
            path += name;
            if (++count > kMostVisible) {
                problems.push_back({ path, "too many files" });
                return problems;
            }
            visit(path, found);
            if (!S_ISDIR(found.st_mode))
                continue;
            if (folder.depth >= kDeepest)
                problems.push_back({ path, "too deep" });
            else
                waiting.push_back({ path + '/', folder.depth + 1 });
        }
    }
    return problems;
}

std::string VisibleFolder::linkTarget(const std::string& path) const
{
    const Fd link = openBeneath(path, O_PATH | O_NOFOLLOW);
    std::string target(PATH_MAX, '\0');
    const ssize_t size = link.isOpen() ? ::readlinkat(link.get(), "", target.data(), target.size()) : -1;
    target.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
    return target;
}

Result<Fd> VisibleFolder::openFile(const std::string& path, std::int64_t inode) const
{
    Fd file = openBeneath(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
    struct stat found { };
    if (!file.isOpen() || ::fstat(file.get(), &found) != 0 || !S_ISREG(found.st_mode)
        || static_cast<std::int64_t>(found.st_ino) != inode)
        return Error{ Errc::NotFound, path + " is another file now" };
    return file;
}

} // namespace sg::sessions
