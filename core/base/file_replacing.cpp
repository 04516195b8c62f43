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

// The folder's own lock: it leaves no file behind, and stays where it is while files are renamed over each
// other. The kernel drops it with its owner.
Result<Fd> lockFolder(const fs::path& folder)
{
    Fd fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    const auto until = steady_clock::now() + kMostWait;
    while (fd.isOpen() && ::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK && errno != EINTR)
            break; // a file system without locks has one writer at a time, as far as can be told
        if (steady_clock::now() > until)
            return Error{ Errc::Timeout,
                          "another program has been writing in " + folder.string()
                              + " for some seconds; try again when it has ended" };
        std::this_thread::sleep_for(kPause);
    }
    return fd; // also where the folder cannot be opened: what is done there says why
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
    // Written before it is looked: nothing slow lies between looking and replacing.
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
