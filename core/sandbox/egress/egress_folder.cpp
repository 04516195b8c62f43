#include "core/sandbox/egress/egress_folder.h"

#include "core/base/errno_error.h"
#include "core/base/hash.h"
#include "core/base/random_bytes.h"
#include "core/sandbox/owner_process.h"
#include "core/sandbox/runtime_folder.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

namespace sg::sandbox::egress {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMark = "egress.";
constexpr int kBacklog = 64;

// "OWNER-egress.1a2b3c4d5e6f7081": as the folders of other sockets, which are swept by their owner's name.
std::string nextName()
{
    std::string random(8, '\0');
    fillRandomBytes(random.data(), random.size());
    return ownerMark(ownProcess()) + '-' + std::string(kMark) + toHex(random);
}

// What killed programs left.
void sweep(const fs::path& base)
{
    std::error_code failed;
    std::vector<fs::path> stale;
    for (fs::directory_iterator entry(base, failed), end; !failed && entry != end; entry.increment(failed)) {
        const std::string name = entry->path().filename();
        const std::size_t dash = name.rfind('-');
        const auto owner = dash == std::string::npos ? std::nullopt : parseOwnerMark(name.substr(0, dash));
        if (owner && name.compare(dash + 1, kMark.size(), kMark) == 0 && isGone(*owner))
            stale.push_back(entry->path());
    }
    for (const fs::path& folder : stale)
        fs::remove_all(folder, failed); // follows no links
}

} // namespace

Result<EgressFolder> EgressFolder::create()
{
    const auto base = runtimeFolder();
    if (!base)
        return base.error();
    sweep(*base);
    EgressFolder folder(*base / nextName());
    if (::mkdir(folder.m_path.c_str(), 0711) != 0)
        return errnoError(errno, "create folder " + folder.m_path.string());
    if (auto listening = folder.listen(); !listening)
        return std::move(listening.error());
    return folder;
}

Result<void> EgressFolder::listen()
{
    const std::string path = (m_path / kSocketName).string();
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path)
        return Error{ Errc::InvalidArgument,
                      path + " is too long for a socket; set XDG_RUNTIME_DIR to a shorter one" };
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    m_listener = Fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!m_listener.isOpen()
        || ::bind(m_listener.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0
        || ::listen(m_listener.get(), kBacklog) != 0)
        return errnoError(errno, "listen on " + path);
    if (::geteuid() != 0)
        return ::chmod(path.c_str(), 0666) == 0 ? Result<void>() : errnoError(errno, "open " + path);
    const SandboxUser user = findSandboxUser("sandglass");
    if (::chmod(path.c_str(), 0600) != 0 || ::lchown(path.c_str(), user.uid, user.gid) != 0)
        return errnoError(errno, "give " + path + " to the sandbox's user");
    return {};
}

EgressFolder::EgressFolder(EgressFolder&& other) noexcept
    : m_path(std::move(other.m_path))
    , m_listener(std::move(other.m_listener))
{
    other.m_path.clear();
}

EgressFolder::~EgressFolder()
{
    if (m_path.empty())
        return;
    std::error_code ignored;
    fs::remove_all(m_path, ignored);
}

} // namespace sg::sandbox::egress
