#include "core/sandbox/sandbox_user.h"

#include "core/base/child_process.h"
#include "core/base/errno_error.h"
#include "core/base/folder_entries.h"

#include <fcntl.h>
#include <pwd.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

namespace sg::sandbox {
namespace {

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

Result<void> giveEntries(int folder, const std::string& path, SandboxUser user, int depth)
{
    if (depth > kMaxDepth)
        return Error{ Errc::LimitExceeded, path + ": folders are nested too deeply" };
    if (::fchown(folder, user.uid, user.gid) != 0)
        return errnoError(errno, "give " + path + " to the sandbox's user");
    return eachEntry(folder, path, [&](const std::string& name) -> Result<void> {
        const Fd below(::openat(folder, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
        if (below.isOpen())
            return giveEntries(below.get(), path + '/' + name, user, depth + 1);
        if (::fchownat(folder, name.c_str(), user.uid, user.gid, AT_SYMLINK_NOFOLLOW) != 0 && errno != ENOENT)
            return errnoError(errno, "give " + path + '/' + name + " to the sandbox's user");
        return {};
    });
}

} // namespace

bool isAccount(uid_t uid)
{
    SandboxUser user;
    return lookUp(nullptr, uid, user);
}

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

Result<void> giveFolderTo(const std::filesystem::path& folder, SandboxUser user)
{
    const Fd root(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!root.isOpen())
        return errnoError(errno, "open folder " + folder.string());
    return giveEntries(root.get(), folder.string(), user, 0);
}

Result<void> giveFoldersTo(const SandboxSpec& spec, SandboxUser user)
{
    if (!spec.sessionFolder.empty())
        if (auto given = giveFolderTo(spec.sessionFolder, user); !given)
            return given;
    for (const Mount& mount : spec.mounts)
        if (mount.givenToUser)
            if (auto given = giveFolderTo(mount.host, user); !given)
                return given;
    return {};
}

} // namespace sg::sandbox
