#include "core/sandbox/own_user.h"

#include "core/base/errno_error.h"
#include "core/sandbox/runtime_folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <set>

namespace sg::sandbox {
namespace {

namespace fs = std::filesystem;

// Every lease opens the file anew and locks the byte of its number: the kernel releases it when its holder
// ends.
Result<Fd> openLocks()
{
    const auto base = runtimeFolder();
    if (!base)
        return base.error();
    const std::string path = *base / "users";
    Fd file(::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!file.isOpen())
        return errnoError(errno, "open " + path);
    return file;
}

bool lockNumber(const Fd& file, uid_t number)
{
    struct flock range { };
    range.l_type = F_WRLCK;
    range.l_whence = SEEK_SET;
    range.l_start = static_cast<off_t>(number);
    range.l_len = 1;
    return ::fcntl(file.get(), F_OFD_SETLK, &range) == 0;
}

bool areMapped(uid_t first, uid_t last)
{
    std::ifstream map("/proc/self/uid_map");
    for (std::uint64_t inside = 0, outside = 0, count = 0; map >> inside >> outside >> count;)
        if (inside <= first && last < inside + count)
            return true;
    return false;
}

// An engine's container may go on after the process that held its number.
std::set<uid_t> usersOfProcesses()
{
    std::set<uid_t> found;
    std::error_code failed;
    for (fs::directory_iterator entry("/proc", failed), end; !failed && entry != end;
         entry.increment(failed)) {
        const std::string name = entry->path().filename();
        if (std::isdigit(static_cast<unsigned char>(name.front())) == 0)
            continue;
        std::ifstream status(entry->path() / "status");
        for (std::string word; status >> word;)
            if (word == "Uid:") {
                uid_t user = 0;
                if (status >> user)
                    found.insert(user);
                break;
            } else {
                status.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
            }
    }
    return found;
}

} // namespace

Result<OwnUser> OwnUser::take()
{
    OwnUser own;
    own.m_user = findSandboxUser("sandglass");
    if (!areMapped(kFirstFreeUid, kLastFreeUid))
        return own;
    auto locks = openLocks();
    if (!locks)
        return std::move(locks.error()).during("choose a user for a sandbox");
    const std::set<uid_t> taken = usersOfProcesses();
    constexpr uid_t kCount = kLastFreeUid - kFirstFreeUid + 1;
    const auto start = static_cast<uid_t>(std::random_device()() % kCount);
    for (uid_t i = 0; i < kCount; ++i) {
        const uid_t number = kFirstFreeUid + (start + i) % kCount;
        if (taken.contains(number) || isAccount(number) || !lockNumber(*locks, number))
            continue;
        // The group is the account's, as a data set may be readable for that alone; the kernel counts nothing
        // by group.
        own.m_user.uid = number;
        own.m_lock = std::move(*locks);
        break;
    }
    return own;
}

OwnUser OwnUser::adopt(uid_t uid)
{
    OwnUser own;
    own.m_user = { uid, uid };
    if (uid < kFirstFreeUid || uid > kLastFreeUid)
        return own;
    if (auto locks = openLocks(); locks && lockNumber(*locks, uid))
        own.m_lock = std::move(*locks);
    return own;
}

} // namespace sg::sandbox
