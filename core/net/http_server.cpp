#include "core/net/http_server.h"

#include "core/base/errno_error.h"
#include "core/net/http_connection.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

namespace sg::net {
namespace {

using std::chrono::steady_clock;

constexpr int kBacklog = 1024;
constexpr int kEvents = 128;
constexpr int kSweepMs = 500;
constexpr int kAcceptsAtOnce = 64; // after these other connections have their turn

Result<Fd> listenOn(const HttpServerOptions& options)
{
    addrinfo hints{};
    hints.ai_flags = AI_PASSIVE | AI_NUMERICHOST | AI_NUMERICSERV;
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    const std::string port = std::to_string(options.port);
    if (::getaddrinfo(options.address.c_str(), port.c_str(), &hints, &found) != 0)
        return Error{ Errc::InvalidArgument, options.address + " is no address of an interface" };
    Fd socket(::socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    const int on = 1;
    const bool isListening = socket.isOpen()
        && ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0
        && ::bind(socket.get(), found->ai_addr, found->ai_addrlen) == 0
        && ::listen(socket.get(), kBacklog) == 0;
    const int failed = errno;
    ::freeaddrinfo(found);
    if (isListening)
        return socket;
    if (failed == EADDRINUSE)
        return Error{ Errc::Exists,
                      "port " + port + " of " + options.address + " is taken; choose another with --port" };
    return errnoError(failed, "listen on " + options.address + " port " + port);
}

std::uint16_t portOf(int socket)
{
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    if (::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size) != 0)
        return 0;
    return ntohs(address.ss_family == AF_INET6 ? reinterpret_cast<const sockaddr_in6&>(address).sin6_port
                                               : reinterpret_cast<const sockaddr_in&>(address).sin_port);
}

class Server final : public HttpServer {
public:
    Server(const HttpServerOptions& options, Handler handler, Fd listener, Fd stop)
        : m_options(options)
        , m_handler(std::move(handler))
        , m_listener(std::move(listener))
        , m_stop(std::move(stop))
        , m_port(portOf(m_listener.get()))
        , m_share(static_cast<std::size_t>(std::max(1, options.connections / std::max(1, options.threads))))
    {
        for (int i = 0; i < std::max(1, options.threads); ++i)
            m_desks.push_back(std::make_unique<Desk>());
        for (const auto& desk : m_desks)
            m_threads.emplace_back([this, &desk = *desk] { serve(desk); });
    }
    ~Server() override
    {
        const std::uint64_t one = 1;
        (void)!::write(m_stop.get(), &one, sizeof one);
        for (std::thread& thread : m_threads)
            thread.join();
    }
    [[nodiscard]] std::uint16_t port() const override { return m_port; }

private:
    // A thread gets connections here that another accepted; a thread with many connections is slow for each.
    struct Desk {
        const Fd bell{ ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK) };
        std::atomic<int> open = 0; // its connections, including those given and not taken yet
        [[nodiscard]] bool canBeGiven() const
        {
            return bell.isOpen();
        } // without the bell it would not
          // notice
        std::mutex mutex;
        std::vector<Fd> given; // guarded by mutex
    };
    struct Held { // a connection that is counted already
        Held(Fd socket, const HttpServerOptions& options, SteadyTime now, std::atomic<int>& all,
             std::atomic<int>& atDesk)
            : connection(std::move(socket), options, now)
            , open(all)
            , openAtDesk(atDesk)
        {
        }
        Held(const Held&) = delete;
        Held& operator=(const Held&) = delete;
        ~Held()
        {
            --open;
            --openAtDesk;
        }
        HttpConnection connection;
        std::atomic<int>& open; // of all threads
        std::atomic<int>& openAtDesk;
        bool isWatchedForWriting = false;
    };
    struct Loop {
        Desk& desk;
        Fd poll{ ::epoll_create1(EPOLL_CLOEXEC) };
        std::unordered_map<int, std::unique_ptr<Held>> connections{};
    };
    void serve(Desk& desk);
    void acceptAll(Loop& loop);
    void takeGiven(Loop& loop);
    [[nodiscard]] Desk& deskForNext(Desk& own);
    void addOpen(Desk& desk, int more);
    void hold(Loop& loop, Fd socket);
    void advance(Loop& loop, Held& held);
    [[nodiscard]] bool makeRoom(Loop& loop);
    void sweep(Loop& loop);

    // constant after construction
    const HttpServerOptions m_options;
    const Handler m_handler;
    const Fd m_listener;
    const Fd m_stop; // readable once the server ends
    const std::uint16_t m_port;
    const std::size_t m_share; // each thread may hold this many, however many others hold
    std::vector<std::unique_ptr<Desk>> m_desks; // one per thread
    std::atomic<int> m_open = 0; // of all desks
    std::vector<std::thread> m_threads;
};

void Server::serve(Desk& desk)
{
    Loop loop{ desk };
    epoll_event listening{ EPOLLIN | EPOLLEXCLUSIVE, { .fd = m_listener.get() } };
    epoll_event stopping{ EPOLLIN, { .fd = m_stop.get() } };
    epoll_event giving{ EPOLLIN, { .fd = desk.bell.get() } };
    ::epoll_ctl(loop.poll.get(), EPOLL_CTL_ADD, m_listener.get(), &listening);
    ::epoll_ctl(loop.poll.get(), EPOLL_CTL_ADD, m_stop.get(), &stopping);
    ::epoll_ctl(loop.poll.get(), EPOLL_CTL_ADD, desk.bell.get(), &giving);
    std::array<epoll_event, kEvents> events{};
    SteadyTime swept = steady_clock::now();
    while (true) {
        const int count = ::epoll_wait(loop.poll.get(), events.data(), kEvents, kSweepMs);
        if (count < 0 && errno != EINTR)
            return;
        for (int i = 0; i < count; ++i) {
            const int ready = events[static_cast<std::size_t>(i)].data.fd;
            if (ready == m_stop.get())
                return;
            if (ready == m_listener.get())
                acceptAll(loop);
            else if (ready == desk.bell.get())
                takeGiven(loop);
            else if (const auto found = loop.connections.find(ready); found != loop.connections.end())
                advance(loop, *found->second);
        }
        if (steady_clock::now() - swept > Millis(kSweepMs)) {
            sweep(loop);
            swept = steady_clock::now();
        }
    }
}

void Server::acceptAll(Loop& loop)
{
    for (int i = 0; i < kAcceptsAtOnce; ++i) {
        Fd socket(::accept4(m_listener.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
        if (!socket.isOpen())
            return;
        Desk& desk = deskForNext(loop.desk);
        addOpen(desk, 1);
        if (&desk == &loop.desk) {
            hold(loop, std::move(socket));
            continue;
        }
        {
            const std::lock_guard lock(desk.mutex);
            desk.given.push_back(std::move(socket));
        }
        const std::uint64_t one = 1;
        (void)!::write(desk.bell.get(), &one, sizeof one);
    }
}

// Returns the desk with the fewest connections, its own unless another has fewer.
Server::Desk& Server::deskForNext(Desk& own)
{
    Desk* least = &own;
    for (const auto& each : m_desks)
        if (each->canBeGiven() && each->open.load() < least->open.load())
            least = each.get();
    return *least;
}

void Server::addOpen(Desk& desk, int more)
{
    desk.open += more;
    m_open += more;
}

void Server::takeGiven(Loop& loop)
{
    std::uint64_t count = 0;
    (void)!::read(loop.desk.bell.get(), &count, sizeof count);
    std::vector<Fd> given;
    {
        const std::lock_guard lock(loop.desk.mutex);
        given.swap(loop.desk.given);
    }
    for (Fd& socket : given)
        hold(loop, std::move(socket));
}

// Takes a connection that is counted already.
void Server::hold(Loop& loop, Fd socket)
{
    // Only this thread's connections can be closed here.
    if (m_open > m_options.connections && loop.connections.size() >= m_share && !makeRoom(loop)) {
        addOpen(loop.desk, -1); // closed; the client can try again later
        return;
    }
    const int on = 1;
    (void)::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    const int number = socket.get();
    epoll_event watched{ EPOLLIN, { .fd = number } };
    if (::epoll_ctl(loop.poll.get(), EPOLL_CTL_ADD, number, &watched) != 0) {
        addOpen(loop.desk, -1);
        return;
    }
    auto held =
        std::make_unique<Held>(std::move(socket), m_options, steady_clock::now(), m_open, loop.desk.open);
    Held& added = *held;
    loop.connections.emplace(number, std::move(held));
    advance(loop, added);
}

void Server::advance(Loop& loop, Held& held)
{
    const int socket = held.connection.socket();
    if (!held.connection.go(m_handler, steady_clock::now())) {
        loop.connections.erase(socket);
        return;
    }
    const bool writes = held.connection.wantsToWrite();
    if (writes == held.isWatchedForWriting)
        return;
    held.isWatchedForWriting = writes;
    epoll_event watched{ writes ? EPOLLOUT : EPOLLIN, { .fd = socket } };
    ::epoll_ctl(loop.poll.get(), EPOLL_CTL_MOD, socket, &watched);
}

// Closes a connection that is idle or takes its answer too slowly. False: all are busy.
bool Server::makeRoom(Loop& loop)
{
    const SteadyTime now = steady_clock::now();
    const auto useless = std::ranges::min_element(
        loop.connections, {}, [](const auto& each) { return each.second->connection.uselessFrom(); });
    if (useless == loop.connections.end()
        || (useless->second->connection.isAnswering() && useless->second->connection.uselessFrom() > now))
        return false;
    loop.connections.erase(useless);
    return true;
}

void Server::sweep(Loop& loop)
{
    const SteadyTime now = steady_clock::now();
    std::vector<int> over;
    for (const auto& [socket, held] : loop.connections)
        if (held->connection.deadline() < now)
            over.push_back(socket);
    for (const int socket : over)
        loop.connections.erase(socket);
}

} // namespace

Result<std::unique_ptr<HttpServer>> HttpServer::start(const HttpServerOptions& options, Handler handler)
{
    auto listener = listenOn(options);
    if (!listener)
        return std::move(listener.error());
    Fd stop(::eventfd(0, EFD_CLOEXEC));
    if (!stop.isOpen())
        return errnoError(errno, "start a server");
    return std::unique_ptr<HttpServer>(
        std::make_unique<Server>(options, std::move(handler), std::move(*listener), std::move(stop)));
}

} // namespace sg::net
