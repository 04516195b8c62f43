#include "core/sandbox/bubblewrap/root_stage.h"

#include "core/base/child_process.h"
#include "core/base/errno_error.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace sg::sandbox {
namespace {

constexpr const char* kMountPoint = "/run/sandglass";

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

} // namespace

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

} // namespace sg::sandbox
