#include "core/sandbox/docker/ssh_tunnel.h"

#include "core/base/errno_error.h"
#include "core/base/hash.h"
#include "core/base/printable.h"
#include "core/base/random_bytes.h"
#include "core/net/connect_socket.h"
#include "core/sandbox/owner_process.h"
#include "core/sandbox/runtime_folder.h"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>

namespace sg::sandbox {
namespace {

using namespace std::chrono_literals;

constexpr auto kOpenTime = 20s;
constexpr int kLookAgainMs = 20;

bool isHostLetter(char each)
{
    return (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z') || (each >= '0' && each <= '9')
        || std::string_view("._-@").find(each) != std::string_view::npos;
}

ProcessSpec sshCommand(const SshPlace& place, const std::string& local)
{
    ProcessSpec spec;
    spec.program = "ssh";
    spec.arguments = { "-N",
                       "-T",
                       "-oBatchMode=yes",
                       "-oExitOnForwardFailure=yes",
                       "-oConnectTimeout=10",
                       "-oServerAliveInterval=15",
                       "-L" + local + ':' + place.socket };
    if (!place.port.empty())
        spec.arguments.push_back("-p" + place.port);
    spec.arguments.insert(spec.arguments.end(), { "--", place.destination });
    for (const char* name : { "HOME", "PATH", "USER", "LANG", "SSH_AUTH_SOCK", "XDG_RUNTIME_DIR" })
        if (const char* value = std::getenv(name)) // NOLINT(concurrency-mt-unsafe): nothing here sets it
            spec.environment.push_back(std::string(name) + '=' + value);
    spec.pipeStderr = true;
    return spec;
}

std::string said(ChildProcess& ssh)
{
    std::string words(2048, '\0');
    pollfd watched{ ssh.stderrPipe().get(), POLLIN, 0 };
    const ssize_t got = ::poll(&watched, 1, 200) > 0 ? ::read(watched.fd, words.data(), words.size()) : 0;
    words.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    return printableText(words.substr(0, words.find_last_not_of("\r\n") + 1));
}

} // namespace

std::string SshPlace::text() const
{
    return "ssh://" + destination + (port.empty() ? "" : ":" + port)
        + (socket == SshPlace().socket ? std::string() : socket);
}

Result<SshPlace> parseSshPlace(const std::string& rest)
{
    SshPlace place;
    const std::size_t slash = std::min(rest.find('/'), rest.size());
    std::string host = rest.substr(0, slash);
    if (slash + 1 < rest.size())
        place.socket = rest.substr(slash);
    if (const std::size_t colon = host.rfind(':'); colon != std::string::npos) {
        place.port = host.substr(colon + 1);
        host.erase(colon);
    }
    const auto refuse = [&](const char* why) {
        return Error{ Errc::InvalidArgument, "Docker host ssh://" + printableText(rest) + ": " + why };
    };
    if (host.empty() || host.front() == '-' || host.find("@-") != std::string::npos
        || !std::ranges::all_of(host, isHostLetter))
        return refuse("ssh:// needs a host, with its user before an @");
    if (place.port.size() > 5 || place.port.find_first_not_of("0123456789") != std::string::npos)
        return refuse("a port is a number");
    if (place.socket.find_first_of(std::string_view(": \0", 3)) != std::string::npos)
        return refuse("the path of its socket cannot be told to ssh");
    place.destination = std::move(host);
    return place;
}

SshTunnel::SshTunnel(std::filesystem::path folder, ChildProcess ssh)
    : m_folder(std::move(folder))
    , m_ssh(std::move(ssh))
{
}

SshTunnel::~SshTunnel()
{
    m_ssh.kill(SIGTERM);
    (void)m_ssh.wait(1s);
    std::error_code ignored;
    std::filesystem::remove_all(m_folder, ignored);
}

std::filesystem::path SshTunnel::socket() const
{
    return m_folder / "engine.sock";
}

Result<void> SshTunnel::waitUntilOpen(const SshPlace& place)
{
    const auto end = std::chrono::steady_clock::now() + kOpenTime;
    while (!net::connectUnixSocket(socket())) {
        pollfd watched{ m_ssh.exitDescriptor(), POLLIN, 0 };
        const bool hasEnded = ::poll(&watched, 1, kLookAgainMs) > 0;
        if (hasEnded || std::chrono::steady_clock::now() > end)
            return Error{ Errc::Unavailable,
                          place.text() + ": " + (hasEnded ? "ssh ended: " : "ssh did not connect in time: ")
                              + said(m_ssh) + ". Try: ssh " + place.destination + " true" };
    }
    return {};
}

Result<std::shared_ptr<SshTunnel>> SshTunnel::open(const SshPlace& place)
{
    const auto base = runtimeFolder();
    if (!base)
        return base.error();
    std::string random(8, '\0');
    fillRandomBytes(random.data(), random.size());
    const std::filesystem::path folder = *base / (ownerMark(ownProcess()) + "-ssh." + toHex(random));
    if (::mkdir(folder.c_str(), 0700) != 0)
        return errnoError(errno, "create folder " + folder.string());
    auto ssh = ChildProcess::start(sshCommand(place, (folder / "engine.sock").string()));
    if (!ssh) {
        std::error_code ignored;
        std::filesystem::remove_all(folder, ignored);
        return Error{ Errc::Unavailable,
                      place.text() + ": " + ssh.error().message
                          + "; install it with: sudo apt install openssh-client" };
    }
    auto tunnel = std::make_shared<SshTunnel>(folder, std::move(*ssh));
    if (auto opened = tunnel->waitUntilOpen(place); !opened)
        return std::move(opened.error());
    return tunnel;
}

} // namespace sg::sandbox
