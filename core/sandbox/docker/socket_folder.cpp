#include "core/sandbox/docker/socket_folder.h"

#include "core/base/errno_error.h"
#include "core/net/connect_socket.h"
#include "core/sandbox/owner_process.h"
#include "core/sandbox/runtime_folder.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <vector>

namespace sg::sandbox {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSocketName = "runner.sock";

std::string nextName()
{
    static std::atomic<unsigned> count = 0;
    return ownerMark(ownProcess()) + '-' + std::to_string(++count);
}

void removeFolder(const fs::path& path)
{
    std::error_code ignored;
    fs::remove_all(path, ignored); // does not follow links
}

// Opens the socket and returns a path in /proc by which to connect: no link is followed on the way.
Result<Fd> socketIn(const fs::path& path)
{
    const std::string name = (path / kSocketName).string();
    const Fd folder(::open(path.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    Fd file(folder.isOpen() ? ::openat(folder.get(), kSocketName, O_PATH | O_NOFOLLOW | O_CLOEXEC) : -1);
    struct stat found { };
    if (!file.isOpen() || ::fstat(file.get(), &found) != 0)
        return errnoError(errno, "open " + name);
    if (!S_ISSOCK(found.st_mode))
        return Error{ Errc::PermissionDenied,
                      name + " is no socket: code in the sandbox put something else there" };
    return file;
}

std::string pathOf(const Fd& file)
{
    return "/proc/self/fd/" + std::to_string(file.get());
}

// Does not block: a stopped process accepts no connection, and its queue of them may be full.
bool isListenedOn(const fs::path& path)
{
    const auto file = socketIn(path);
    const Fd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!file || !socket.isOpen())
        return false;
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string name = pathOf(*file);
    name.copy(address.sun_path, sizeof address.sun_path - 1);
    return ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0
        || errno == EAGAIN;
}

} // namespace

Result<SocketFolder> SocketFolder::create(uid_t uid, gid_t gid)
{
    const auto base = runtimeFolder();
    if (!base)
        return base.error();
    SocketFolder folder(*base / nextName());
    if (::mkdir(folder.m_path.c_str(), 0700) != 0)
        return errnoError(errno, "create folder " + folder.m_path.string());
    const fs::path inner = shared(folder.m_path);
    if (::mkdir(inner.c_str(), 0700) != 0)
        return errnoError(errno, "create folder " + inner.string());
    if (uid != ::geteuid() && ::lchown(inner.c_str(), uid, gid) != 0)
        return errnoError(errno, "give folder " + inner.string() + " to the sandbox's user");
    return folder;
}

Result<SocketFolder> SocketFolder::adopt(const fs::path& path)
{
    struct stat found { };
    if (path.parent_path() != runtimeFolderPath() || ::lstat(path.c_str(), &found) != 0
        || !S_ISDIR(found.st_mode))
        return Error{ Errc::NotFound, path.string() + ": the sandbox's folder is gone" };
    return SocketFolder(path);
}

SocketFolder::SocketFolder(SocketFolder&& other) noexcept
    : m_path(std::move(other.m_path))
{
    other.m_path.clear();
}

SocketFolder::~SocketFolder()
{
    if (!m_path.empty())
        removeFolder(m_path);
}

Result<void> SocketFolder::seal() const
{
    const fs::path inner = shared(m_path);
    std::error_code failed;
    fs::rename(inner / kSocketName, m_path / kSocketName, failed);
    if (!failed)
        fs::remove_all(inner, failed);
    if (failed)
        return errnoError(failed.value(), "take folder " + inner.string() + " from the container");
    return {};
}

Result<Fd> SocketFolder::connect(pid_t peer) const
{
    const std::string name = (m_path / kSocketName).string();
    auto file = socketIn(shared(m_path));
    if (!file && file.error().code == Errc::NotFound)
        file = socketIn(m_path);
    if (!file)
        return std::move(file.error());
    auto socket = net::connectUnixSocket(pathOf(*file));
    if (!socket)
        return std::move(socket.error()).during(name);
    ucred listener{};
    socklen_t size = sizeof listener;
    if (::getsockopt(socket->get(), SOL_SOCKET, SO_PEERCRED, &listener, &size) != 0)
        return errnoError(errno, "ask who listens on " + name);
    if (listener.pid != peer)
        return Error{ Errc::PermissionDenied,
                      name + ": process " + std::to_string(listener.pid)
                          + " listens there instead of the runner, " + std::to_string(peer) };
    return socket;
}

void removeStaleSocketFolders(const std::vector<std::string>& inUse)
{
    std::error_code error;
    std::vector<fs::path> stale;
    for (fs::directory_iterator entry(runtimeFolderPath(), error), end; !error && entry != end;
         entry.increment(error)) {
        const std::string name = entry->path().filename();
        const std::size_t dash = name.rfind('-');
        const auto owner = dash == std::string::npos ? std::nullopt : parseOwnerMark(name.substr(0, dash));
        if (!owner || !isGone(*owner)
            || std::find(inUse.begin(), inUse.end(), entry->path().string()) != inUse.end())
            continue;
        // A container of an engine that was not asked uses it.
        if (!isListenedOn(entry->path()) && !isListenedOn(SocketFolder::shared(entry->path())))
            stale.push_back(entry->path());
    }
    for (const fs::path& folder : stale)
        removeFolder(folder);
}

} // namespace sg::sandbox
