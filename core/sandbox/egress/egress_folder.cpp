#include "core/sandbox/egress/egress_folder.h"

#include "core/base/errno_error.h"
#include "core/sandbox/owner_process.h"
#include "core/sandbox/runtime_folder.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <optional>
#include <string_view>
#include <vector>

namespace sg::sandbox::egress {
namespace {

namespace fs = std::filesystem;

// Names: "HOLDER-egress.SESSION", or "HOLDER-egress-kept.SESSION" where the sandbox may outlive its program.
// HOLDER is the mark of the process that serves the folder, "left.BOOT", or "gone.SECONDS", the time since
// when its process was missed. Folders are renamed in place, so a mount of one in a sandbox stays valid.
constexpr std::string_view kMark = "-egress.";
constexpr std::string_view kKeptMark = "-egress-kept.";
constexpr std::string_view kLeft = "left.";
constexpr std::string_view kGone = "gone.";
constexpr std::time_t kFolderPatience = 600; // longer than a sandbox of an engine waits to be taken up
constexpr int kBacklog = 64;
constexpr int kMostTries = 3;

struct Named {
    fs::path path;
    std::string holder;
    std::string session;
    bool lasts = false;
};

std::optional<Named> named(const fs::path& path)
{
    const std::string name = path.filename();
    for (const std::string_view mark : { kMark, kKeptMark })
        if (const std::size_t at = name.find(mark); at != std::string::npos)
            return Named{ path, name.substr(0, at), name.substr(at + mark.size()), mark == kKeptMark };
    return std::nullopt;
}

std::string nameOf(const std::string& holder, const std::string& session, bool lasts)
{
    return holder + std::string(lasts ? kKeptMark : kMark) + session;
}

std::vector<Named> foldersIn(const fs::path& base)
{
    std::vector<Named> found;
    std::error_code failed;
    for (fs::directory_iterator entry(base, failed), end; !failed && entry != end; entry.increment(failed))
        if (auto each = named(entry->path()))
            found.push_back(std::move(*each));
    return found;
}

void removeFolder(const fs::path& folder)
{
    std::error_code ignored; // does not follow links
    fs::remove_all(folder, ignored); // follows no links
}

bool isOurs(const Named& folder)
{
    return folder.holder == ownerMark(ownProcess());
}

// True where another program serves the folder now.
bool isHeld(const Named& folder)
{
    const auto owner = parseOwnerMark(folder.holder);
    return owner && !isOurs(folder) && !isGone(*owner);
}

bool isOfAnotherBoot(const Named& folder)
{
    const std::string boot = ownProcess().boot;
    if (const auto owner = parseOwnerMark(folder.holder))
        return owner->boot != boot;
    return folder.holder.starts_with(kLeft) && folder.holder.substr(kLeft.size()) != boot;
}

// Removes what killed programs left, after a while: their sandboxes may live on, and be taken up.
void sweep(const fs::path& base)
{
    const std::time_t now = std::time(nullptr);
    for (const Named& each : foldersIn(base)) {
        if (isOfAnotherBoot(each)) {
            removeFolder(each.path);
        } else if (each.holder.starts_with(kGone)) {
            const long long since = std::atoll(each.holder.c_str() + kGone.size());
            if (now - since > kFolderPatience)
                removeFolder(each.path);
        } else if (const auto owner = parseOwnerMark(each.holder); owner && !each.lasts && isGone(*owner)) {
            std::error_code ignored;
            fs::rename(each.path,
                       base / nameOf(std::string(kGone) + std::to_string(now), each.session, false), ignored);
        }
    }
}

// Errc::NotFound: every such folder is served, or there is none. Another program's sweep may rename one
// between listing and renaming; the next round finds its new name.
Result<void> takeUp(const fs::path& base, const std::string& session, const fs::path& as)
{
    Error gone{ Errc::NotFound, "the way to the network of session " + session + " is gone" };
    for (int i = 0; i < kMostTries; ++i) {
        const std::vector<Named> all = foldersIn(base);
        const auto left = std::ranges::find_if(
            all, [&](const Named& each) { return each.session == session && !isHeld(each); });
        if (left == all.end())
            return gone;
        std::error_code failed;
        fs::rename(left->path, as, failed);
        if (!failed)
            return {};
        if (failed != std::errc::no_such_file_or_directory)
            return errnoError(failed.value(), "take up folder " + left->path.string());
    }
    return gone;
}

Result<fs::path> checkedBase(const std::string& session)
{
    if (session.empty() || session.find('/') != std::string::npos)
        return Error{ Errc::InvalidArgument, "\"" + session + "\" is no session's id" };
    return runtimeFolder();
}

} // namespace

Result<EgressFolder> EgressFolder::create(const std::string& session, bool lasts)
{
    const auto base = checkedBase(session);
    if (!base)
        return base.error();
    sweep(*base);
    for (const Named& each : foldersIn(*base))
        if (each.session == session && !isHeld(each))
            removeFolder(each.path); // its sandbox no longer exists
    EgressFolder folder(*base / nameOf(ownerMark(ownProcess()), session, lasts));
    if (::mkdir(folder.m_path.c_str(), 0711) != 0) {
        const Error failed = errnoError(errno, "create folder " + folder.m_path.string());
        folder.m_path.clear();
        return failed;
    }
    if (auto listening = folder.listen(); !listening)
        return std::move(listening.error());
    return folder;
}

Result<EgressFolder> EgressFolder::adopt(const std::string& session, bool lasts)
{
    const auto base = checkedBase(session);
    if (!base)
        return base.error();
    const fs::path place = *base / nameOf(ownerMark(ownProcess()), session, lasts);
    if (auto taken = takeUp(*base, session, place); !taken)
        return std::move(taken.error());
    EgressFolder folder(place);
    std::error_code ignored;
    fs::remove(place / kSocketName, ignored);
    if (auto listening = folder.listen(); !listening)
        return std::move(listening.error());
    return folder;
}

void EgressFolder::forget(const std::string& session)
{
    for (const Named& each : foldersIn(runtimeFolderPath()))
        if (each.session == session && !isHeld(each) && !isOurs(each))
            removeFolder(each.path);
}

Result<void> EgressFolder::listen()
{
    const std::string path = (m_path / kSocketName).string();
    const Fd folder(::open(m_path.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!folder.isOpen())
        return errnoError(errno, "open folder " + m_path.string());
    // A socket's address has 108 bytes, and user folders can be longer: the path goes by the folder's number.
    const std::string place = "/proc/self/fd/" + std::to_string(folder.get()) + '/' + kSocketName;
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, place.c_str(), place.size() + 1);
    m_listener = Fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!m_listener.isOpen()
        || ::bind(m_listener.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0
        || ::listen(m_listener.get(), kBacklog) != 0)
        return errnoError(errno, "listen on " + path);
    if (::geteuid() != 0)
        return ::chmod(path.c_str(), 0666) == 0 ? Result<void>() : errnoError(errno, "open " + path);
    // A sandbox that exists already owns the folder: its user gets the socket, too.
    struct stat owner { };
    if (::fstat(folder.get(), &owner) != 0 || ::chmod(path.c_str(), 0600) != 0
        || ::lchown(path.c_str(), owner.st_uid, owner.st_gid) != 0)
        return errnoError(errno, "give " + path + " to the sandbox's user");
    return {};
}

void EgressFolder::leave()
{
    if (m_path.empty())
        return;
    m_listener.reset();
    std::error_code failed;
    fs::remove(m_path / kSocketName, failed);
    if (const auto own = named(m_path)) // if that fails, the folder is found once this process ends
        fs::rename(m_path,
                   m_path.parent_path()
                       / nameOf(std::string(kLeft) + ownProcess().boot, own->session, own->lasts),
                   failed);
    m_path.clear();
}

EgressFolder::EgressFolder(EgressFolder&& other) noexcept
    : m_path(std::move(other.m_path))
    , m_listener(std::move(other.m_listener))
{
    other.m_path.clear();
}

EgressFolder::~EgressFolder()
{
    if (!m_path.empty())
        removeFolder(m_path);
}

} // namespace sg::sandbox::egress
