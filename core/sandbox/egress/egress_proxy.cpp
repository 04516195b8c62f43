#include "core/sandbox/egress/egress_proxy.h"

#include "core/base/errno_error.h"
#include "core/base/thread_pool.h"
#include "core/sandbox/egress/egress_answer.h"
#include "core/sandbox/egress/waiting_socket.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <thread>

namespace sg::sandbox::egress {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

constexpr auto kFirstByte = 10s;
constexpr std::size_t kFirst = 8192;
constexpr std::size_t kMostUntold = 1000;

void ring(const Fd& bell)
{
    const std::uint64_t one = 1;
    (void)!::write(bell.get(), &one, sizeof one);
}

int option(int socket, int name)
{
    int value = -1;
    socklen_t size = sizeof value;
    return ::getsockopt(socket, SOL_SOCKET, name, &value, &size) == 0 ? value : -1;
}

// A socket that accepts connections of its own network: no more than the sandbox could do without it.
bool isListener(int socket)
{
    const int domain = option(socket, SO_DOMAIN);
    return option(socket, SO_ACCEPTCONN) == 1 && option(socket, SO_TYPE) == SOCK_STREAM
        && (domain == AF_INET || domain == AF_INET6);
}

// The first bytes of a connection, and a descriptor where one came with them.
struct FirstWords {
    std::string bytes;
    Fd passed;
};
FirstWords firstWords(int socket)
{
    FirstWords words;
    std::string buffer(kFirst, '\0');
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * 4)> control{};
    iovec part{ buffer.data(), buffer.size() };
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    const ssize_t got = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    if (got < 0)
        return words;
    for (cmsghdr* each = CMSG_FIRSTHDR(&message); each != nullptr; each = CMSG_NXTHDR(&message, each)) {
        if (each->cmsg_level != SOL_SOCKET || each->cmsg_type != SCM_RIGHTS)
            continue;
        for (std::size_t at = 0; CMSG_LEN(at + sizeof(int)) <= each->cmsg_len; at += sizeof(int)) {
            int passed = -1;
            std::memcpy(&passed, CMSG_DATA(each) + at, sizeof passed);
            words.passed = Fd(passed); // the last counts, the others are closed
        }
    }
    words.bytes.assign(buffer.data(), static_cast<std::size_t>(got));
    return words;
}

class Proxy final : public EgressProxy {
public:
    Proxy(EgressPolicy policy, EgressConnection::Listener listener, EgressFolder folder, Fd stop, Fd changed)
        : m_policy(std::move(policy))
        , m_report([this](const EgressDecision& decision) { report(decision); })
        , m_folder(std::move(folder))
        , m_stop(std::move(stop))
        , m_changed(std::move(changed))
        , m_budget(m_policy.limits)
        , m_listener(std::move(listener))
        , m_pool(static_cast<std::size_t>(m_policy.limits.connections))
        , m_acceptor([this] { acceptAll(); })
    {
    }
    ~Proxy() override
    {
        ring(m_stop);
        m_acceptor.join();
        if (m_leaves)
            m_folder.leave();
    }
    [[nodiscard]] const std::filesystem::path& folder() const override { return m_folder.path(); }
    void tell(EgressConnection::Listener listener) override;
    void leave() override { m_leaves = true; }

private:
    void acceptAll();
    bool acceptOne(int listener, bool isOurs);
    void serve(Fd socket, bool isOurs);
    void report(const EgressDecision& decision);

    // constant after construction
    const EgressPolicy m_policy;
    const EgressConnection::Listener m_report;
    EgressFolder m_folder;
    const Fd m_stop; // readable from the end on
    const Fd m_changed; // readable: another listener was handed over
    // has its own lock
    EgressBudget m_budget;
    std::atomic<int> m_open = 0;
    std::atomic<bool> m_leaves = false;
    // guarded by m_mutex
    std::mutex m_mutex;
    Fd m_handed; // the sandbox's own listening socket, until the acceptor takes it
    EgressConnection::Listener m_listener;
    std::vector<EgressDecision> m_untold;
    ThreadPool m_pool;
    std::thread m_acceptor;
};

void Proxy::tell(EgressConnection::Listener listener)
{
    std::vector<EgressDecision> untold;
    {
        const std::lock_guard lock(m_mutex);
        m_listener = listener;
        untold.swap(m_untold);
    }
    for (const EgressDecision& each : untold)
        listener(each);
}

void Proxy::report(const EgressDecision& decision)
{
    EgressConnection::Listener listener;
    {
        const std::lock_guard lock(m_mutex);
        listener = m_listener;
        if (!listener && m_untold.size() < kMostUntold)
            m_untold.push_back(decision);
    }
    if (listener)
        listener(decision);
}

void Proxy::acceptAll()
{
    Fd inside;
    while (true) {
        pollfd watched[4]{ { m_stop.get(), POLLIN, 0 },
                           { m_changed.get(), POLLIN, 0 },
                           { m_folder.listener(), POLLIN, 0 },
                           { inside.get(), POLLIN, 0 } }; // one below 0 is not looked at
        if (::poll(watched, 4, -1) < 0 && errno != EINTR)
            return;
        if (watched[0].revents != 0)
            return;
        if (watched[1].revents != 0) {
            std::uint64_t count = 0;
            (void)!::read(m_changed.get(), &count, sizeof count);
            const std::lock_guard lock(m_mutex);
            inside = std::move(m_handed);
            continue;
        }
        if (watched[2].revents != 0)
            acceptOne(m_folder.listener(), true);
        if (watched[3].revents != 0 && !acceptOne(inside.get(), false))
            inside.reset(); // its code has closed it
    }
}

// False: this one accepts nothing any more.
bool Proxy::acceptOne(int listener, bool isOurs)
{
    Fd socket(::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!socket.isOpen()) {
        if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS)
            std::this_thread::sleep_for(10ms); // others' connections end meanwhile
        return errno != EINVAL && errno != EBADF && errno != ENOTSOCK && errno != EOPNOTSUPP;
    }
    if (m_open.fetch_add(1) >= m_policy.limits.connections) {
        --m_open;
        const std::string answer =
            egressAnswer(429, "the session has as many connections as it may at once.");
        (void)::send(socket.get(), answer.data(), answer.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        m_report({ EgressDecision::Outcome::Denied, {}, {}, {}, "too many connections at once" });
        return true;
    }
    // A job must be copyable.
    auto shared = std::make_shared<Fd>(std::move(socket));
    m_pool.submit([this, shared, isOurs] {
        serve(std::move(*shared), isOurs);
        --m_open;
    });
    return true;
}

void Proxy::serve(Fd socket, bool isOurs)
{
    std::string early;
    if (isOurs) {
        if (!waitFor(socket.get(), POLLIN, m_stop.get(), steady_clock::now() + kFirstByte))
            return;
        FirstWords words = firstWords(socket.get());
        if (words.passed.isOpen()) {
            const bool isGood = isListener(words.passed.get());
            if (isGood) {
                const std::lock_guard lock(m_mutex);
                m_handed = std::move(words.passed);
            }
            if (isGood)
                ring(m_changed);
            (void)writeAll(socket.get(), isGood ? "k" : "n", m_stop.get(), steady_clock::now() + kFirstByte);
            return;
        }
        if (words.bytes.empty())
            return;
        early = std::move(words.bytes);
    }
    EgressConnection(m_policy, m_budget, m_report, m_stop.get()).serve(std::move(socket), std::move(early));
}

} // namespace

Result<std::unique_ptr<EgressProxy>> EgressProxy::start(EgressPolicy policy, EgressFolder folder,
                                                        EgressConnection::Listener listener)
{
    Fd stop(::eventfd(0, EFD_CLOEXEC));
    Fd changed(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!stop.isOpen() || !changed.isOpen())
        return errnoError(errno, "open a session's way to the network");
    return std::unique_ptr<EgressProxy>(std::make_unique<Proxy>(
        std::move(policy), std::move(listener), std::move(folder), std::move(stop), std::move(changed)));
}

Result<EgressPolicy> egressPolicy(const std::vector<std::string>& rules,
                                  const std::vector<std::string>& trusts)
{
    EgressPolicy policy;
    for (const std::string& text : rules) {
        auto rule = parseEgressRule(text);
        if (!rule)
            return std::move(rule.error());
        policy.rules.push_back(std::move(*rule));
    }
    for (const std::string& text : trusts) {
        auto place = parseHostPort(text, 0);
        if (!place)
            return std::move(place.error());
        if (!place->isAddress)
            return Error{ Errc::InvalidArgument,
                          text + ": what is trusted is an address and a port, not a name" };
        policy.trusts.push_back(std::move(*place));
    }
    return policy;
}

} // namespace sg::sandbox::egress
