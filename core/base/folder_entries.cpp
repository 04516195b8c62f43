#include "core/base/folder_entries.h"

#include "core/base/errno_error.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <memory>

namespace sg {

Result<void> eachEntry(int folder, const std::string& path,
                       const std::function<Result<void>(const std::string& name)>& take)
{
    const int copy = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const std::unique_ptr<DIR, int (*)(DIR*)> entries(copy < 0 ? nullptr : ::fdopendir(copy), ::closedir);
    if (!entries) {
        const int error = errno;
        if (copy >= 0)
            ::close(copy);
        return errnoError(error, "read folder " + path);
    }
    while (const dirent* entry = ::readdir(entries.get())) {
        const std::string name = entry->d_name;
        if (name == "." || name == "..")
            continue;
        if (auto taken = take(name); !taken)
            return taken;
    }
    return {};
}

} // namespace sg
