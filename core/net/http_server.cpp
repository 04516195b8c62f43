#include "core/net/http_server.h"

#include "core/base/errno_error.h"
#include "core/net/server_connection.h"
#include "core/net/server_socket.h"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <utility> // Asio 1.74 needs it before its own headers with GCC 12
#include <vector>

namespace sg::net {
namespace {

namespace asio = boost::asio;
using std::chrono::steady_clock;

constexpr int kBacklog = 1024;
constexpr std::chrono::milliseconds kSweep{ 500 };
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
    Server(const HttpServerOptions& options, Service service, std::shared_ptr<const TlsKeys> keys,
           Fd listener)
        : m_options(options)
        , m_service(std::move(service))
        , m_keys(std::move(keys))
        , m_listener(std::move(listener))
        , m_port(portOf(m_listener.get()))
        , m_share(static_cast<std::size_t>(std::max(1, options.connections / std::max(1, options.threads))))
        , m_work(std::make_unique<ThreadPool>(static_cast<std::size_t>(std::max(1, options.streams))))
    {
        for (int i = 0; i < std::max(1, options.threads); ++i)
            m_loops.push_back(std::make_unique<Loop>(*this));
        for (const auto& loop : m_loops) {
            listen(*loop);
            sweepLater(*loop);
            m_threads.emplace_back([&io = loop->io] {
                sigset_t pipe;
                ::sigemptyset(&pipe);
                ::sigaddset(&pipe, SIGPIPE); // OpenSSL and sendfile() may raise it
                ::pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
                io.run();
            });
        }
    }
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;
    ~Server() override
    {
        for (const auto& loop : m_loops)
            asio::post(loop->io, [&loop = *loop] { end(loop); });
        m_work = nullptr; // waits for exchanges, which end as their clients are gone
        for (const auto& loop : m_loops)
            loop->io.stop();
        for (std::thread& thread : m_threads)
            thread.join();
    }
    [[nodiscard]] std::uint16_t port() const override { return m_port; }

private:
    struct Held { // a connection that is counted
        Held(std::shared_ptr<ServerConnection> its, std::atomic<int>& all, std::atomic<int>& inLoop)
            : connection(std::move(its))
            , open(all)
            , openInLoop(inLoop)
        {
        }
        Held(const Held&) = delete;
        Held& operator=(const Held&) = delete;
        ~Held()
        {
            --open;
            --openInLoop;
        }
        const std::shared_ptr<ServerConnection> connection;
        std::atomic<int>& open; // of all loops
        std::atomic<int>& openInLoop;
    };
    // A thread with its connections. It accepts for all; a thread with many connections is slow for each.
    struct Loop {
        explicit Loop(Server& server)
            : world{ io,
                     server.m_options,
                     server.m_service,
                     server.m_keys.get(),
                     *server.m_work,
                     server.m_streams,
                     [this](const ServerConnection& closed) { held.erase(&closed); } }
        {
        }
        asio::io_context io{ 1 };
        asio::executor_work_guard<asio::io_context::executor_type> stays{ io.get_executor() };
        asio::ip::tcp::acceptor acceptor{ io };
        asio::steady_timer sweeps{ io };
        std::atomic<int> open = 0; // its connections, including those given and not taken yet
        bool isEnding = false;
        std::unordered_map<const ServerConnection*, std::unique_ptr<Held>> held;
        const ServerConnection::World world;
    };

    void listen(Loop& loop);
    void acceptLater(Loop& loop);
    void acceptAll(Loop& own);
    void hold(Loop& loop, Fd socket);
    [[nodiscard]] static bool makeRoom(Loop& loop);
    static void sweepLater(Loop& loop);
    static void closeAll(Loop& loop, const Error& why, const std::function<bool(ServerConnection&)>& which);
    static void end(Loop& loop);

    // constant after construction
    const HttpServerOptions m_options;
    const Service m_service;
    const std::shared_ptr<const TlsKeys> m_keys;
    const Fd m_listener;
    const std::uint16_t m_port;
    const std::size_t m_share; // each thread may hold this many, however many others hold
    std::atomic<int> m_open = 0; // of all loops
    std::atomic<int> m_streams = 0;
    std::unique_ptr<ThreadPool> m_work;
    std::vector<std::unique_ptr<Loop>> m_loops; // one per thread
    std::vector<std::thread> m_threads;
};

void Server::listen(Loop& loop)
{
    Fd own(::fcntl(m_listener.get(), F_DUPFD_CLOEXEC, 3));
    boost::system::error_code failed;
    loop.acceptor.assign(asio::ip::tcp::v4(), own.get(), failed);
    if (failed)
        return; // other loops accept
    (void)own.take();
    acceptLater(loop);
}

void Server::acceptLater(Loop& loop)
{
    loop.acceptor.async_wait(asio::socket_base::wait_read, [this, &loop](const auto& failed) {
        if (failed || loop.isEnding)
            return;
        acceptAll(loop);
        acceptLater(loop);
    });
}

void Server::acceptAll(Loop& own)
{
    for (int i = 0; i < kAcceptsAtOnce; ++i) {
        Fd socket(::accept4(m_listener.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
        if (!socket.isOpen())
            return;
        Loop* least = &own; // its own unless another has fewer
        for (const auto& each : m_loops)
            if (each->open.load() < least->open.load())
                least = each.get();
        ++least->open;
        ++m_open;
        if (least == &own)
            hold(own, std::move(socket));
        else
            asio::post(least->io, [this, least, given = std::make_shared<Fd>(std::move(socket))] {
                hold(*least, std::move(*given));
            });
    }
}

// Takes a connection that is counted already.
void Server::hold(Loop& loop, Fd socket)
{
    // Only this thread's connections can be closed here.
    const bool isFull = m_open > m_options.connections && loop.held.size() >= m_share && !makeRoom(loop);
    const int on = 1;
    (void)::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    auto connection =
        isFull || loop.isEnding ? nullptr : ServerConnection::open(std::move(socket), loop.world);
    auto held = std::make_unique<Held>(connection, m_open, loop.open);
    if (!connection)
        return; // closed; the client can try again later
    loop.held.emplace(connection.get(), std::move(held));
    connection->start();
}

// Closes a connection that is idle or takes its answer too slowly. False: all are busy.
bool Server::makeRoom(Loop& loop)
{
    const SteadyTime now = steady_clock::now();
    const auto useless = std::ranges::min_element(
        loop.held, {}, [](const auto& each) { return each.second->connection->uselessFrom(); });
    if (useless == loop.held.end()
        || (useless->second->connection->isAnswering() && useless->second->connection->uselessFrom() > now))
        return false;
    const auto closing = useless->second->connection;
    closing->close({ Errc::Unavailable, "another connection needs the room" });
    return true;
}

void Server::closeAll(Loop& loop, const Error& why, const std::function<bool(ServerConnection&)>& which)
{
    std::vector<std::shared_ptr<ServerConnection>> over;
    for (const auto& [key, held] : loop.held)
        if (which(*held->connection))
            over.push_back(held->connection);
    for (const auto& connection : over)
        connection->close(why);
}

void Server::sweepLater(Loop& loop)
{
    loop.sweeps.expires_after(kSweep);
    loop.sweeps.async_wait([&loop](const auto& failed) {
        if (failed)
            return;
        const SteadyTime now = steady_clock::now();
        closeAll(loop, { Errc::Timeout, "the client has not gone on in time" },
                 [now](ServerConnection& each) { return each.deadline() < now; });
        sweepLater(loop);
    });
}

void Server::end(Loop& loop)
{
    loop.isEnding = true;
    boost::system::error_code ignored;
    loop.acceptor.close(ignored);
    closeAll(loop, { Errc::Cancelled, "the server ends" }, [](ServerConnection&) { return true; });
}

} // namespace

Result<std::unique_ptr<HttpServer>> HttpServer::start(const HttpServerOptions& options, Service service)
{
    std::shared_ptr<const TlsKeys> keys;
    if (!options.certificate.empty() || !options.key.empty()) {
        auto loaded = loadTlsKeys(options.certificate, options.key);
        if (!loaded)
            return std::move(loaded.error());
        keys = std::move(*loaded);
    }
    auto listener = listenOn(options);
    if (!listener)
        return std::move(listener.error());
    return std::unique_ptr<HttpServer>(
        std::make_unique<Server>(options, std::move(service), std::move(keys), std::move(*listener)));
}

Result<std::unique_ptr<HttpServer>> HttpServer::start(const HttpServerOptions& options, Handler handler)
{
    Service service;
    service.quick = [handler = std::move(handler)](const HttpHead& head) {
        return std::optional<HttpAnswer>(handler(head));
    };
    return start(options, std::move(service));
}

} // namespace sg::net
