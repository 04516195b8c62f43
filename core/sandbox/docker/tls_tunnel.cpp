#include "core/sandbox/docker/tls_tunnel.h"

#include "core/base/errno_error.h"
#include "core/base/hash.h"
#include "core/base/random_bytes.h"
#include "core/net/connect_socket.h"
#include "core/sandbox/owner_process.h"
#include "core/sandbox/runtime_folder.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <string_view>
#include <system_error>

namespace sg::sandbox {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr auto kConnectTime = 5s;
constexpr auto kAnswerTime = 10s;
constexpr int kBacklog = 64;
constexpr std::size_t kBuffer = 64U << 10;
constexpr const char* kSocket = "engine.sock";

constexpr int kNever = -1; // no descriptor: poll() skips it

bool isThere(const fs::path& file)
{
    std::error_code failed;
    return fs::exists(file, failed);
}

// Without an authority, any server with a public certificate could answer as the engine.
Result<void> fillCertificates(const fs::path& folder, net::TlsStream::Wish& wish)
{
    const fs::path authorities = folder / "ca.pem";
    const fs::path certificate = folder / "cert.pem";
    const fs::path key = folder / "key.pem";
    if (!isThere(authorities))
        return Error{ Errc::NotFound,
                      authorities.string()
                          + " is not there: it says who is believed to be the engine (DOCKER_CERT_PATH)" };
    if (isThere(certificate) != isThere(key))
        return Error{ Errc::NotFound,
                      (isThere(key) ? certificate : key).string()
                          + " is not there, and the other of the two is" };
    wish.authorities = authorities;
    if (isThere(certificate)) {
        wish.certificate = certificate;
        wish.key = key;
    }
    return {};
}

// `stop` becomes readable when the connection is no longer wanted; -1: none.
Result<std::unique_ptr<net::TlsStream>> connect(const TlsPlace& place, int stop)
{
    net::TlsStream::Wish wish;
    if (auto filled = fillCertificates(place.certificates, wish); !filled)
        return std::move(filled.error());
    auto socket = net::connectTcp(place.host, place.port, kConnectTime);
    if (!socket)
        return std::move(socket.error());
    wish.host = place.host;
    wish.isStopped = [stop] {
        pollfd stopped{ stop, POLLIN, 0 };
        return ::poll(&stopped, 1, 0) > 0;
    };
    auto opened = net::TlsStream::open(std::move(*socket), wish);
    if (!opened && opened.error().code == Errc::PermissionDenied)
        return Error{ Errc::PermissionDenied,
                      opened.error().message + ". It is believed by "
                          + (place.certificates / "ca.pem").string() };
    return opened;
}

// With TLS 1.3 an engine refuses our certificate only after the handshake.
Result<void> tryOnce(const TlsPlace& place)
{
    const auto stream = connect(place, kNever);
    if (!stream)
        return stream.error();
    constexpr std::string_view kPing = "GET /_ping HTTP/1.0\r\nHost: engine\r\n\r\n";
    const auto brokeOff = [&place](const Error& error) {
        return Error{ Errc::PermissionDenied,
                      "the engine broke off after the greeting, as one does that does not believe "
                          + (place.certificates / "cert.pem").string() + ": " + error.message };
    };
    if (const auto sent = (*stream)->write(kPing); !sent || *sent != kPing.size())
        return sent ? Error{ Errc::Unavailable, "the engine takes nothing" } : brokeOff(sent.error());
    std::string answer;
    const auto end = std::chrono::steady_clock::now() + kAnswerTime;
    while (answer.size() < 5) {
        char buffer[512];
        const auto got = (*stream)->read(buffer, sizeof buffer);
        if (!got)
            return brokeOff(got.error());
        if (*got && **got == 0)
            break;
        if (*got) {
            answer.append(buffer, **got);
            continue;
        }
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now()).count();
        pollfd watched{ (*stream)->socket(), POLLIN, 0 };
        if (left <= 0 || ::poll(&watched, 1, static_cast<int>(left)) == 0)
            return Error{ Errc::Timeout, "the engine did not answer" };
    }
    return answer.starts_with("HTTP/") ? Result<void>()
                                       : Error{ Errc::Unavailable, "what answers there is no Docker Engine" };
}

// Bytes from one side that the other has not accepted yet.
struct Waiting {
    std::string bytes = std::string(kBuffer, '\0');
    std::size_t begin = 0;
    std::size_t end = 0;
    [[nodiscard]] bool isEmpty() const { return begin == end; }
    void took(std::size_t count) { begin += count; }
    void filled(std::size_t count)
    {
        begin = 0;
        end = count;
    }
};

// False: a side has ended or failed.
bool moveUp(int local, net::TlsStream& engine, Waiting& up)
{
    if (up.isEmpty()) {
        const ssize_t got = ::recv(local, up.bytes.data(), up.bytes.size(), MSG_DONTWAIT);
        if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR))
            return false;
        up.filled(got > 0 ? static_cast<std::size_t>(got) : 0);
    }
    if (up.isEmpty())
        return true;
    const auto sent = engine.write(std::string_view(up.bytes).substr(up.begin, up.end - up.begin));
    if (sent)
        up.took(*sent);
    return static_cast<bool>(sent);
}

// Does as moveUp(); `isMore`: the TLS layer may hold more, which poll() does not report.
bool moveDown(int local, net::TlsStream& engine, Waiting& down, bool& isMore)
{
    isMore = false;
    if (down.isEmpty()) {
        const auto got = engine.read(down.bytes.data(), down.bytes.size());
        if (!got || (*got && **got == 0))
            return false;
        down.filled(got->value_or(0));
    }
    if (down.isEmpty())
        return true;
    const ssize_t sent =
        ::send(local, down.bytes.data() + down.begin, down.end - down.begin, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0 && errno != EAGAIN && errno != EINTR)
        return false;
    down.took(sent > 0 ? static_cast<std::size_t>(sent) : 0);
    isMore = down.isEmpty();
    return true;
}

short events(bool reads, bool writes)
{
    return static_cast<short>((reads ? POLLIN : 0) | (writes ? POLLOUT : 0));
}

Result<Fd> listenAt(const std::string& path)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path)
        return Error{ Errc::InvalidArgument,
                      path + " is too long for a socket; set XDG_RUNTIME_DIR to a shorter one" };
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    Fd listener(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!listener.isOpen()
        || ::bind(listener.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0
        || ::listen(listener.get(), kBacklog) != 0)
        return errnoError(errno, "listen on " + path);
    return listener;
}

} // namespace

Result<std::shared_ptr<TlsTunnel>> TlsTunnel::open(const TlsPlace& place)
{
    if (auto tried = tryOnce(place); !tried)
        return std::move(tried.error()).during("Docker host " + place.text());
    const auto base = runtimeFolder();
    if (!base)
        return base.error();
    std::string random(8, '\0');
    fillRandomBytes(random.data(), random.size());
    // The name has the form of socket folders, so that they are removed by their owner's mark.
    const fs::path folder = *base / (ownerMark(ownProcess()) + "-tls." + toHex(random));
    if (::mkdir(folder.c_str(), 0700) != 0)
        return errnoError(errno, "create folder " + folder.string());
    auto listener = listenAt((folder / kSocket).string());
    Fd stop(::eventfd(0, EFD_CLOEXEC));
    if (listener && stop.isOpen())
        return std::make_shared<TlsTunnel>(place, folder, std::move(*listener), std::move(stop));
    std::error_code ignored;
    fs::remove_all(folder, ignored);
    return listener ? errnoError(EMFILE, "open the way to " + place.text()) : std::move(listener.error());
}

TlsTunnel::TlsTunnel(TlsPlace place, fs::path folder, Fd listener, Fd stop)
    : m_place(std::move(place))
    , m_folder(std::move(folder))
    , m_listener(std::move(listener))
    , m_stop(std::move(stop))
    , m_acceptor([this] { acceptAll(); })
{
}

TlsTunnel::~TlsTunnel()
{
    const std::uint64_t one = 1;
    (void)!::write(m_stop.get(), &one, sizeof one);
    m_acceptor.join();
    for (Line& line : m_lines)
        line.thread.join();
    std::error_code ignored;
    fs::remove_all(m_folder, ignored);
}

fs::path TlsTunnel::socket() const
{
    return m_folder / kSocket;
}

void TlsTunnel::acceptAll()
{
    while (true) {
        pollfd watched[2]{ { m_stop.get(), POLLIN, 0 }, { m_listener.get(), POLLIN, 0 } };
        if (::poll(watched, 2, -1) < 0 && errno != EINTR)
            return;
        if (watched[0].revents != 0)
            return;
        if (watched[1].revents == 0)
            continue;
        std::erase_if(m_lines, [](Line& line) {
            if (line.isOver)
                line.thread.join();
            return line.isOver.load();
        });
        Fd local(::accept4(m_listener.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
        if (local.isOpen())
            addLine(std::move(local));
        else
            ::poll(watched, 1, 100); // out of descriptors: the listener stays readable, so wait
    }
}

void TlsTunnel::addLine(Fd local)
{
    Line& line = m_lines.emplace_back();
    try {
        line.thread = std::thread([this, &line, socket = std::make_shared<Fd>(std::move(local))] {
            serve(std::move(*socket));
            line.isOver = true;
        });
    } catch (const std::system_error&) { // no thread left: the client sees its connection end
        m_lines.pop_back();
    }
}

void TlsTunnel::serve(Fd local) const
{
    const auto engine = connect(m_place, m_stop.get());
    if (!engine)
        return;
    Waiting up;
    Waiting down;
    while (true) {
        bool isMore = false;
        if (!moveDown(local.get(), **engine, down, isMore) || !moveUp(local.get(), **engine, up))
            return;
        // A side without wanted events is not watched: poll() reports its end even when not asked for.
        const auto watch = [](int side, short wanted) {
            return pollfd{ wanted != 0 ? side : kNever, wanted, 0 };
        };
        pollfd watched[3]{ { m_stop.get(), POLLIN, 0 },
                           watch(local.get(), events(up.isEmpty(), !down.isEmpty())),
                           watch((*engine)->socket(), events(down.isEmpty(), !up.isEmpty())) };
        if ((::poll(watched, 3, isMore ? 0 : -1) < 0 && errno != EINTR) || watched[0].revents != 0)
            return;
    }
}

} // namespace sg::sandbox
