#include "core/sandbox/bubblewrap/user_counts.h"

#include "core/base/child_process.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <string>

namespace sg::sandbox {
namespace {

void writeSetting(const char* path, const char* value)
{
    const int file = ::open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return;
    static_cast<void>(!::write(file, value, std::strlen(value)));
    ::close(file);
}

} // namespace

void limitCountsOf(pid_t inside)
{
    const Fd space(::open(("/proc/" + std::to_string(inside) + "/ns/user").c_str(), O_RDONLY | O_CLOEXEC));
    if (!space.isOpen())
        return;
    // These settings apply to the namespace of the process that opens them, which a multi-threaded process
    // cannot enter. The child makes only system calls.
    const pid_t child = ::fork();
    if (child == 0) {
        if (::setns(space.get(), CLONE_NEWUSER) == 0) {
            writeSetting("/proc/sys/user/max_inotify_instances", "16");
            writeSetting("/proc/sys/user/max_inotify_watches", "8192");
        }
        ::_exit(0);
    }
    if (child > 0)
        ::waitpid(child, nullptr, 0);
}

} // namespace sg::sandbox
