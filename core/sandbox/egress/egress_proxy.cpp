#include "core/sandbox/egress/egress_proxy.h"

#include "core/base/errno_error.h"
#include "core/base/thread_pool.h"
#include "core/sandbox/egress/egress_answer.h"
#include "core/sandbox/egress/handed_socket.h"
#include "core/sandbox/egress/refusal_fold.h"
#include "core/sandbox/egress/waiting_socket.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

namespace sg::sandbox::egress {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

constexpr auto kFirstByte = 10s;
constexpr std::size_t kMostUntold = 1000;
constexpr int kLookAtRefusalsMs = 250;
// The acceptor may take this long to notice the end before the sandbox's socket is shut down.
constexpr auto kConnectPatience = 100ms;
constexpr auto kPatienceLeaving = 5s; // while the sandbox goes on with that socket

void ring(const Fd& bell)
{
    const std::uint64_t one = 1;
    (void)!::write(bell.get(), &one, sizeof one);
}

class Proxy final : public EgressProxy {
public:
    Proxy(EgressPolicy policy, EgressConnection::Listener listener, EgressFolder folder,
          std::shared_ptr<EgressBudget> budget, Fd stop, Fd changed)
        : m_policy(std::move(policy))
        , m_report([this](const EgressDecision& decision) { return report(decision); })
        , m_folder(std::move(folder))
        , m_stop(std::move(stop))
        , m_changed(std::move(changed))
        , m_budget(std::move(budget))
        , m_listener(std::move(listener))
        , m_pool(std::in_place, static_cast<std::size_t>(m_policy.limits.connections))
        , m_acceptor([this] {
            acceptAll();
            const std::lock_guard lock(m_mutex);
            m_acceptsNoMore = true;
            m_ended.notify_all();
        })
    {
    }
    ~Proxy() override;
    [[nodiscard]] const std::filesystem::path& folder() const override { return m_folder.path(); }
    void tell(EgressConnection::Listener listener) override;
    void leave() override { m_leaves = true; }

private:
    void acceptAll();
    bool acceptOne(int listener, bool isOurs);
    void serve(Fd socket, bool isOurs);
    bool takeHanded(Fd passed);
    bool report(const EgressDecision& decision);
    bool tellNow(const EgressDecision& decision);
    [[nodiscard]] bool tellDue(); // whether more is due later

    // constant after construction
    const EgressPolicy m_policy;
    const EgressConnection::Listener m_report;
    EgressFolder m_folder;
    const Fd m_stop; // readable once the proxy ends
    const Fd m_changed; // readable: a listener was handed over, or refusals are due later
    const std::shared_ptr<EgressBudget> m_budget;
    // has its own lock
    std::atomic<int> m_open = 0;
    std::atomic<bool> m_leaves = false;
    // guarded by m_mutex
    std::mutex m_mutex;
    Fd m_handed; // the sandbox's own listening socket, until the acceptor takes it
    Fd m_inside; // the one that it accepts from; only the acceptor changes it
    EgressConnection::Listener m_listener;
    std::vector<EgressDecision> m_untold;
    RefusalFold m_refusals;
    bool m_acceptsNoMore = false; // the acceptor has ended
    std::condition_variable m_ended;
    std::optional<ThreadPool> m_pool;
    std::thread m_acceptor;
};

// Code in the sandbox may keep a listener that it handed over, make it blocking again, and accept the
// connection that poll() reported: then accept() blocks. Only a shutdown of the socket ends that, once for
// each time that the code listens again.
Proxy::~Proxy()
{
    ring(m_stop);
    {
        std::unique_lock lock(m_mutex);
        for (Millis patience = m_leaves ? kPatienceLeaving : kConnectPatience;
             !m_ended.wait_for(lock, patience, [this] { return m_acceptsNoMore; }); patience = 10ms)
            if (m_inside.isOpen())
                (void)::shutdown(m_inside.get(), SHUT_RDWR);
    }
    m_acceptor.join();
    m_pool.reset();
    for (const EgressDecision& each : m_refusals.rest())
        tellNow(each);
    if (m_leaves)
        m_folder.leave();
}

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

// If too much is unreported already, a request is not allowed yet.
bool Proxy::tellNow(const EgressDecision& decision)
{
    EgressConnection::Listener listener;
    {
        const std::lock_guard lock(m_mutex);
        listener = m_listener;
        if (!listener && m_untold.size() >= kMostUntold)
            return false;
        if (!listener)
            m_untold.push_back(decision);
    }
    return !listener || listener(decision);
}

bool Proxy::report(const EgressDecision& decision)
{
    using DecisionOutcome = EgressDecision::Outcome;
    if (decision.outcome == DecisionOutcome::Allowed || decision.outcome == DecisionOutcome::Cut)
        return tellNow(decision);
    std::vector<EgressDecision> told;
    bool mustWake = false;
    {
        const std::lock_guard lock(m_mutex);
        mustWake = !m_refusals.isWaiting();
        told = m_refusals.take(decision, steady_clock::now());
    }
    for (const EgressDecision& each : told)
        tellNow(each);
    if (mustWake)
        ring(m_changed);
    return true;
}

bool Proxy::tellDue()
{
    std::vector<EgressDecision> told;
    bool isMore = false;
    {
        const std::lock_guard lock(m_mutex);
        told = m_refusals.due(steady_clock::now());
        isMore = m_refusals.isWaiting();
    }
    for (const EgressDecision& each : told)
        tellNow(each);
    return isMore;
}

void Proxy::acceptAll()
{
    while (true) {
        const bool isWaiting = tellDue();
        pollfd watched[4]{ { m_stop.get(), POLLIN, 0 },
                           { m_changed.get(), POLLIN, 0 },
                           { m_folder.listener(), POLLIN, 0 },
                           { m_inside.get(), POLLIN, 0 } }; // skipped by poll() when negative
        if (::poll(watched, 4, isWaiting ? kLookAtRefusalsMs : -1) < 0 && errno != EINTR)
            return;
        if (watched[0].revents != 0)
            return;
        if (watched[1].revents != 0) {
            std::uint64_t count = 0;
            (void)!::read(m_changed.get(), &count, sizeof count);
            const std::lock_guard lock(m_mutex);
            if (m_handed.isOpen())
                m_inside = std::move(m_handed);
            continue;
        }
        if (watched[2].revents != 0)
            acceptOne(m_folder.listener(), true);
        if (watched[3].revents == 0)
            continue;
        stopWaitingOn(m_inside.get());
        if (!acceptOne(m_inside.get(), false)) { // its code has closed it
            const std::lock_guard lock(m_mutex);
            m_inside.reset();
        }
    }
}

// False: this listener accepts nothing any more.
bool Proxy::acceptOne(int listener, bool isOurs)
{
    Fd socket(::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!socket.isOpen()) {
        if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS)
            std::this_thread::sleep_for(10ms); // other connections may end meanwhile
        return errno != EINVAL && errno != EBADF && errno != ENOTSOCK && errno != EOPNOTSUPP;
    }
    if (m_open.fetch_add(1) >= m_policy.limits.connections) {
        --m_open;
        const std::string answer =
            egressAnswer(429, "the session has as many connections as it may at once.");
        (void)::send(socket.get(), answer.data(), answer.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
        m_report({ .outcome = EgressDecision::Outcome::Denied, .reason = "too many connections at once" });
        return true;
    }
    // std::function needs a copyable job.
    auto shared = std::make_shared<Fd>(std::move(socket));
    m_pool->submit([this, shared, isOurs] {
        serve(std::move(*shared), isOurs);
        --m_open;
    });
    return true;
}

bool Proxy::takeHanded(Fd passed)
{
    if (!isListener(passed.get()))
        return false;
    {
        const std::lock_guard lock(m_mutex);
        m_handed = std::move(passed);
    }
    ring(m_changed);
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
            const bool isGood = takeHanded(std::move(words.passed));
            (void)writeAll(socket.get(), isGood ? "k" : "n", m_stop.get(), steady_clock::now() + kFirstByte);
            return;
        }
        if (words.bytes.empty())
            return;
        early = std::move(words.bytes);
    }
    EgressConnection(m_policy, *m_budget, m_report, m_stop.get()).serve(std::move(socket), std::move(early));
}

} // namespace

Result<std::unique_ptr<EgressProxy>> EgressProxy::start(EgressPolicy policy, EgressFolder folder,
                                                        EgressConnection::Listener listener,
                                                        std::shared_ptr<EgressBudget> budget)
{
    Fd stop(::eventfd(0, EFD_CLOEXEC));
    Fd changed(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!stop.isOpen() || !changed.isOpen())
        return errnoError(errno, "open a session's way to the network");
    if (!budget)
        budget = std::make_shared<EgressBudget>(policy.limits);
    return std::unique_ptr<EgressProxy>(std::make_unique<Proxy>(std::move(policy), std::move(listener),
                                                                std::move(folder), std::move(budget),
                                                                std::move(stop), std::move(changed)));
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
