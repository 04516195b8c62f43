#include "core/sandbox/folder_view.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <string>

namespace sg::sandbox {

Result<Fd> openFolderOfProcess(pid_t process, int end, const char* name)
{
    const std::string root = "/proc/" + std::to_string(process) + "/root";
    const Fd top(::open(root.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    open_how how{};
    how.flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
    Fd folder(top.isOpen() ? static_cast<int>(::syscall(SYS_openat2, top.get(), name, &how, sizeof how))
                           : -1);
    pollfd watched{ end, POLLIN, 0 };
    if (!folder.isOpen() || ::poll(&watched, 1, 0) != 0)
        return Error{ Errc::Unsupported, "the sandbox's folder cannot be seen from outside" };
    return folder;
}

} // namespace sg::sandbox
