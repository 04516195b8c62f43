#pragma once

#include "core/base/file.h"
#include "core/net/connect_socket.h"
#include "core/sandbox/egress/egress_proxy.h"
#include "core/sandbox/egress/waiting_socket.h"
#include "tests/support/local_server.h"
#include "tests/support/tls_server.h"

#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace sg::test::egress {

using namespace sg::sandbox::egress;
using namespace std::chrono_literals;
using test::TlsServer;

inline std::string port(const test::LocalServer& server)
{
    return std::to_string(server.port());
}

// A session's proxy, and what it decided.
struct World {
    explicit World(const std::vector<std::string>& rules, const std::vector<std::string>& trusts = {},
                   const EgressLimits& limits = {}, std::vector<EgressHeader> headers = {},
                   const std::filesystem::path& authorities = {}, std::shared_ptr<EgressBudget> budget = {})
    {
        auto policy = egressPolicy(rules, trusts);
        if (!policy)
            std::abort();
        policy->limits = limits;
        policy->headers = std::move(headers);
        policy->authorities = authorities;
        start(std::move(*policy), std::move(budget));
    }
    explicit World(EgressPolicy policy) { start(std::move(policy), {}); }
    void start(EgressPolicy policy, std::shared_ptr<EgressBudget> budget)
    {
        auto folder = EgressFolder::create(nextSession(), false);
        if (!folder)
            std::abort();
        auto started = EgressProxy::start(
            std::move(policy), std::move(*folder),
            [this](const EgressDecision& decision) {
                const std::lock_guard lock(mutex);
                decisions.push_back(decision);
                return isRecorded.load();
            },
            std::move(budget));
        if (!started)
            std::abort();
        proxy = std::move(*started);
    }
    static std::string nextSession()
    {
        static int count = 0;
        return "s-proxytest" + std::to_string(::getpid()) + 'x' + std::to_string(++count);
    }
    [[nodiscard]] Fd connect() const
    {
        auto connected = net::connectUnixSocket(proxy->folder() / kSocketName);
        return connected ? std::move(*connected) : Fd();
    }
    // All that comes back until the connection ends, or as many bytes.
    static std::string talk(const Fd& socket, const std::string& request,
                            std::size_t most = std::string::npos)
    {
        const Fd never(::eventfd(0, EFD_CLOEXEC));
        const SteadyTime end = std::chrono::steady_clock::now() + 10s;
        (void)writeAll(socket.get(), request, never.get(), end);
        std::string answer;
        std::string buffer(65536, '\0');
        while (answer.size() < most) {
            const auto got = readSome(socket.get(), buffer.data(), buffer.size(), never.get(), end);
            if (!got || *got == 0)
                break;
            answer.append(buffer, 0, *got);
        }
        return answer;
    }
    std::string ask(const std::string& request) const { return talk(connect(), request); }
    EgressDecision last()
    {
        const std::lock_guard lock(mutex);
        return decisions.empty() ? EgressDecision() : decisions.back();
    }

    std::vector<EgressDecision> told()
    {
        const std::lock_guard lock(mutex);
        return decisions;
    }

    std::atomic<bool> isRecorded = true; // else no decision can be
    std::mutex mutex;
    std::vector<EgressDecision> decisions; // guarded by mutex
    std::unique_ptr<EgressProxy> proxy;
};

// Returns the first message of a TLS client, for that host.
inline std::string hello(const std::string& host)
{
    const auto bytes = readFile(SG_SOURCE_DIR "/tests/data/egress/client_hello.bin");
    std::string text = bytes ? *bytes : std::string();
    const std::string old = "api.test"; // as long as what stands in its place
    text.replace(text.find(old), old.size(), host);
    return text;
}

// Sends a socket to the proxy as a runner does; "k": it is taken.
inline std::string handOver(const World& world, int passed)
{
    const Fd socket = world.connect();
    char word = 'L';
    iovec part{ &word, 1 };
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof passed)] = {};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    cmsghdr* const head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof passed);
    std::memcpy(CMSG_DATA(head), &passed, sizeof passed);
    if (::sendmsg(socket.get(), &message, MSG_NOSIGNAL) != 1)
        return "not sent";
    return World::talk(socket, {}, 1);
}

// The sandbox's own socket, which listens in its network: here, in this machine's.
struct Inside {
    Inside()
        : listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
    {
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        if (::bind(listener.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0
            || ::getsockname(listener.get(), reinterpret_cast<sockaddr*>(&address), &size) != 0
            || ::listen(listener.get(), 64) != 0)
            std::abort();
    }
    void knock() const
    {
        const Fd socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
        (void)::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
        pollfd connected{ socket.get(), POLLOUT, 0 };
        (void)::poll(&connected, 1, 50);
    }
    // As code in the sandbox reaches the proxy, once it was handed over.
    [[nodiscard]] Fd connect() const
    {
        auto connected = net::connectTcp("127.0.0.1", std::to_string(ntohs(address.sin_port)), 2s);
        return connected ? std::move(*connected) : Fd();
    }
    Fd listener;
    sockaddr_in address{};
};

} // namespace sg::test::egress
