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

// Raw system calls: libc's wrappers change every thread, with locks that may be held in a forked child.
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

// "/proc/self/fd/NUMBER", made without calls that are unsafe between fork and exec.
struct DescriptorPath {
    explicit DescriptorPath(int number)
    {
        char digits[12];
        std::size_t count = 0;
        do {
            digits[count++] = static_cast<char>('0' + number % 10);
            number /= 10;
        } while (number > 0);
        std::size_t at = sizeof kFolder - 1;
        while (count > 0)
            text[at++] = digits[--count];
    }
    static constexpr char kFolder[] = "/proc/self/fd/";
    char text[sizeof kFolder + 12] = "/proc/self/fd/";
};

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
    if (::unshare(CLONE_NEWNS) != 0 || ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
        return errno;
    // Opened first, as the mount point may hide a source that lies beneath it.
    for (const Bind& bind : m_binds)
        if (bind.opened = ::open(bind.source.c_str(), O_PATH | O_CLOEXEC); bind.opened < 0)
            return errno;
    if (::mount("sandglass", kMountPoint, "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, "mode=0711,size=64k")
        != 0)
        return errno;
    for (const Bind& bind : m_binds) {
        const DescriptorPath source(bind.opened);
        if (bind.folder) {
            if (::mkdir(bind.target.c_str(), 0711) != 0)
                return errno;
        } else {
            const int file = ::open(bind.target.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
            if (file < 0)
                return errno;
            ::close(file);
        }
        if (::mount(source.text, bind.target.c_str(), nullptr, MS_BIND | MS_REC, nullptr) != 0)
            return errno;
    }
    return becomeUser(m_user);
}

} // namespace sg::sandbox
