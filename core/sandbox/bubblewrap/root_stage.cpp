#include "core/sandbox/bubblewrap/root_stage.h"

#include "core/base/child_process.h"
#include "core/base/errno_error.h"

#include <dirent.h>
#include <fcntl.h>
#include <pwd.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <memory>

namespace sg::sandbox {
namespace {

constexpr const char* kMountPoint = "/run/sandglass";
constexpr uid_t kFirstFreeUid = 61184; // where Debian and systemd leave numbers to such uses
constexpr uid_t kLastFreeUid = 65519;
constexpr int kMaxDepth = 256;

bool lookUp(const std::string* name, uid_t uid, SandboxUser& found)
{
    passwd entry{};
    passwd* result = nullptr;
    std::vector<char> buffer(16384);
    const int error = name ? ::getpwnam_r(name->c_str(), &entry, buffer.data(), buffer.size(), &result)
                           : ::getpwuid_r(uid, &entry, buffer.data(), buffer.size(), &result);
    if (error != 0 || !result)
        return false;
    found = { entry.pw_uid, entry.pw_gid };
    return true;
}

// The raw calls: libc's own change every thread of a process, with locks that may be held in a forked child.
int becomeUser(SandboxUser user)
{
    if (::syscall(SYS_setgroups, 0, nullptr) != 0
        || ::syscall(SYS_setresgid, user.gid, user.gid, user.gid) != 0
        || ::syscall(SYS_setresuid, user.uid, user.uid, user.uid) != 0)
        return errno;
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return errno;
    return 0;
}

Result<void> giveEntries(int folder, const std::string& path, SandboxUser user, int depth)
{
    if (depth > kMaxDepth)
        return Error{ Errc::LimitExceeded, path + ": folders are nested too deeply" };
    if (::fchown(folder, user.uid, user.gid) != 0)
        return errnoError(errno, "give " + path + " to the sandbox's user");
    const int copy = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const std::unique_ptr<DIR, int (*)(DIR*)> entries(copy < 0 ? nullptr : ::fdopendir(copy), ::closedir);
    if (!entries)
        return errnoError(errno, "read folder " + path);
    while (const dirent* entry = ::readdir(entries.get())) {
        const std::string name = entry->d_name;
        if (name == "." || name == "..")
            continue;
        const Fd below(::openat(folder, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
        if (below.isOpen()) {
            if (auto given = giveEntries(below.get(), path + '/' + name, user, depth + 1); !given)
                return given;
        } else if (::fchownat(folder, name.c_str(), user.uid, user.gid, AT_SYMLINK_NOFOLLOW) != 0
                   && errno != ENOENT) {
            return errnoError(errno, "give " + path + '/' + name + " to the sandbox's user");
        }
    }
    return {};
}

} // namespace

SandboxUser findSandboxUser(const std::string& account)
{
    SandboxUser user;
    if (lookUp(&account, 0, user) && user.uid != 0)
        return user;
    for (uid_t uid = kFirstFreeUid; uid < kLastFreeUid; ++uid)
        if (!lookUp(nullptr, uid, user))
            return { uid, uid };
    return { kLastFreeUid, kLastFreeUid };
}

RootStage::RootStage(SandboxUser user)
    : m_user(user)
{
}

std::filesystem::path RootStage::add(const std::filesystem::path& source)
{
    std::error_code error;
    const std::string target = std::string(kMountPoint) + '/' + std::to_string(m_binds.size());
    m_binds.push_back({ source.string(), target, std::filesystem::is_directory(source, error) });
    return target;
}

Result<void> RootStage::makeMountPoint()
{
    if (::mkdir(kMountPoint, 0711) != 0 && errno != EEXIST)
        return errnoError(errno, std::string("create ") + kMountPoint);
    return {};
}

int RootStage::enter() const
{
    if (::unshare(CLONE_NEWNS) != 0 || ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0
        || ::mount("sandglass", kMountPoint, "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, "mode=0711,size=64k")
            != 0)
        return errno;
    for (const Bind& bind : m_binds) {
        if (bind.folder) {
            if (::mkdir(bind.target.c_str(), 0711) != 0)
                return errno;
        } else {
            const int file = ::open(bind.target.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
            if (file < 0)
                return errno;
            ::close(file);
        }
        if (::mount(bind.source.c_str(), bind.target.c_str(), nullptr, MS_BIND | MS_REC, nullptr) != 0)
            return errno;
    }
    return becomeUser(m_user);
}

Result<void> giveFolderTo(const std::filesystem::path& folder, SandboxUser user)
{
    const Fd root(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!root.isOpen())
        return errnoError(errno, "open folder " + folder.string());
    return giveEntries(root.get(), folder.string(), user, 0);
}

} // namespace sg::sandbox
