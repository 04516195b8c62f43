#include "core/base/file_replacing.h"

#include "core/base/child_process.h"
#include "core/base/errno_error.h"
#include "core/base/file.h"
#include "core/base/new_content.h"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>

namespace sg {
namespace {

namespace fs = std::filesystem;
using std::chrono::steady_clock;

constexpr auto kMostWait = std::chrono::seconds(5);
constexpr auto kPause = std::chrono::milliseconds(2);

// Locks the folder itself: that leaves no file behind, and the folder stays while files in it are renamed
// over one another. The kernel drops the lock with its owner.
Result<Fd> lockFolder(const fs::path& folder)
{
    Fd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    const auto until = steady_clock::now() + kMostWait;
    while (fd.isOpen() && ::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            break; // no locks on this file system: assume a single writer
        if (steady_clock::now() > until)
            return Error{ Errc::Timeout,
                          "another program has been writing in " + folder.string()
                              + " for some seconds; try again when it has ended" };
        std::this_thread::sleep_for(kPause);
    }
    return fd; // also if the folder cannot be opened; the next step says why
}

} // namespace

Result<bool> replaceFile(const fs::path& path, std::string_view content, std::size_t limit,
                         const MayReplace& mayReplace)
{
    std::error_code failed;
    const fs::path target = fs::weakly_canonical(path, failed); // links to one file share a lock
    const fs::path& file = failed ? path : target;
    const auto lock = lockFolder(file.has_parent_path() ? file.parent_path() : fs::path("."));
    if (!lock)
        return lock.error();
    // The content is written first, so that nothing slow happens between reading and replacing.
    auto written = NewContent::write(file, content);
    if (!written)
        return std::move(written.error());
    std::optional<std::string> there;
    if (fs::exists(file, failed)) {
        auto text = readFile(file, limit);
        if (!text)
            return std::move(text.error());
        there = std::move(*text);
    }
    auto allowed = mayReplace(there);
    if (!allowed || !*allowed)
        return allowed;
    if (auto placed = written->putInPlace(); !placed)
        return std::move(placed.error());
    return true;
}

} // namespace sg
