#include "core/net/http_relay.h"

#include <boost/beast/http/basic_parser.hpp>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <limits>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace sg::net {
namespace {

namespace http = boost::beast::http;
using boost::beast::string_view;
using Failure = boost::beast::error_code;

constexpr std::size_t kPiece = 64U << 10;
constexpr std::uint32_t kMostHead = 64U << 10;
constexpr int kSendMs = 60'000; // in which a server must take a piece of the request

// Headers of one connection; those that a server may not be told twice, too.
constexpr std::array<std::string_view, 8> kOfConnection{ "connection", "keep-alive",       "proxy-connection",
                                                         "te",         "trailer",          "upgrade",
                                                         "expect",     "transfer-encoding" };

bool isOfConnection(std::string_view name)
{
    return std::ranges::find(kOfConnection, name) != kOfConnection.end();
}

std::string lower(std::string_view text)
{
    std::string made(text);
    for (char& each : made)
        if (each >= 'A' && each <= 'Z')
            each = static_cast<char>(each - 'A' + 'a');
    return made;
}

// False: the server is gone, or takes nothing.
bool sendAll(int socket, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent > 0) {
            bytes.remove_prefix(static_cast<std::size_t>(sent));
            continue;
        }
        if (errno == EINTR)
            continue;
        pollfd waiting{ socket, POLLOUT, 0 };
        if ((errno != EAGAIN && errno != EWOULDBLOCK) || ::poll(&waiting, 1, kSendMs) <= 0)
            return false;
    }
    return true;
}

// 0: the end.
std::size_t receive(int socket, std::vector<char>& buffer)
{
    while (true) {
        const ssize_t got = ::recv(socket, buffer.data(), buffer.size(), MSG_DONTWAIT);
        if (got >= 0)
            return static_cast<std::size_t>(got);
        if (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK)
            return 0;
        pollfd waiting{ socket, POLLIN, 0 };
        (void)::poll(&waiting, 1, -1); // a shutdown ends it
    }
}

// Takes one answer apart, and passes it to the exchange.
class Answer final : public http::basic_parser<false> {
public:
    Answer(HttpExchange& exchange, bool mayChange)
        : m_exchange(exchange)
        , m_mayChange(mayChange)
    {
        eager(true);
        header_limit(kMostHead);
        body_limit(std::numeric_limits<std::uint64_t>::max());
        skip(exchange.head().method == "HEAD");
    }
    [[nodiscard]] int status() const { return m_status; }
    [[nodiscard]] const std::string& headers() const { return m_headers; }
    [[nodiscard]] const std::string& upgrade() const { return m_upgrade; }

private:
    void on_request_impl(http::verb, string_view, string_view, int, Failure&) override { }
    void on_response_impl(int code, string_view, int, Failure&) override { m_status = code; }
    void on_field_impl(http::field, string_view name, string_view value, Failure&) override
    {
        const std::string known = lower({ name.data(), name.size() });
        if (known == "upgrade")
            m_upgrade.assign(value.data(), value.size());
        if (isOfConnection(known) || known == "content-length")
            return;
        m_headers.append(name.data(), name.size()).append(": ");
        m_headers.append(value.data(), value.size()).append("\r\n");
    }
    void on_header_impl(Failure&) override { }
    void on_body_init_impl(const boost::optional<std::uint64_t>& length, Failure&) override
    {
        begin(length ? std::optional<std::uint64_t>(*length) : std::nullopt);
    }
    std::size_t on_body_impl(string_view bytes, Failure& failure) override { return pass(bytes, failure); }
    void on_chunk_header_impl(std::uint64_t, string_view, Failure&) override { }
    std::size_t on_chunk_body_impl(std::uint64_t, string_view bytes, Failure& failure) override
    {
        return pass(bytes, failure);
    }
    void on_finish_impl(Failure&) override
    {
        if (m_status / 100 != 1)
            begin(0);
    }
    void begin(std::optional<std::uint64_t> length)
    {
        if (m_status / 100 == 1 || (m_status == 101 && m_mayChange))
            return;
        m_exchange.begin(m_status, m_headers, length);
    }
    std::size_t pass(string_view bytes, Failure& failure)
    {
        if (auto written = m_exchange.write({ bytes.data(), bytes.size() }); !written)
            failure = boost::system::errc::make_error_code(boost::system::errc::operation_canceled);
        return bytes.size();
    }

    HttpExchange& m_exchange;
    const bool m_mayChange;
    int m_status = 0;
    std::string m_headers;
    std::string m_upgrade;
};

class Relay {
public:
    Relay(HttpExchange& exchange, const Fd& server, const HttpRelay& relay)
        : m_exchange(exchange)
        , m_relay(relay)
        , m_socket(server.get())
        , m_buffer(kPiece)
    {
        const std::string* const connection = exchange.head().find("connection");
        m_changes = exchange.head().find("upgrade") != nullptr && connection != nullptr
            && lower(*connection).find("upgrade") != std::string::npos;
    }
    void run()
    {
        const std::stop_callback ends(m_exchange.gone(), [this] { ::shutdown(m_socket, SHUT_RDWR); });
        if (sendAll(m_socket, head()))
            sendBody();
        answer();
    }

private:
    std::string head() const
    {
        const HttpHead& asked = m_exchange.head();
        std::string text = asked.method + ' ' + m_relay.target + " HTTP/1.1\r\n";
        for (const auto& [name, value] : asked.headers)
            if (!isOfConnection(name) && name != "content-length"
                && std::ranges::find(m_relay.drops, name) == m_relay.drops.end())
                text.append(name).append(": ").append(value).append("\r\n");
        if (asked.isChunked)
            text += "transfer-encoding: chunked\r\n";
        else if (asked.contentLength)
            text += "content-length: " + std::to_string(*asked.contentLength) + "\r\n";
        text += m_changes ? "connection: Upgrade\r\nupgrade: " + *asked.find("upgrade") + "\r\n\r\n"
                          : "connection: close\r\n\r\n";
        return text;
    }

    // A server that answers before it has read all gets no more of it.
    void sendBody()
    {
        const HttpHead& asked = m_exchange.head();
        if (!asked.isChunked && asked.contentLength.value_or(0) == 0)
            return;
        while (true) {
            const auto more = m_exchange.read();
            if (!more)
                return;
            std::string piece = *more;
            if (asked.isChunked) {
                std::array<char, 24> size{};
                std::snprintf(size.data(), size.size(), "%zx\r\n", piece.size());
                piece = size.data() + piece + "\r\n";
            }
            if (!sendAll(m_socket, piece) || more->empty())
                return;
        }
    }

    void answer()
    {
        std::string held;
        while (true) {
            Answer parser(m_exchange, m_changes);
            if (!parse(parser, held))
                return lose();
            if (parser.status() == 101 && m_changes)
                return join(parser, held);
            if (parser.status() / 100 != 1)
                return;
        }
    }

    // Reads one answer; what comes behind it stays in `held`. False: there is none, or not all of it.
    bool parse(Answer& parser, std::string& held)
    {
        while (true) {
            Failure failure;
            while (!held.empty() && !parser.is_done()) {
                const std::size_t used = parser.put(boost::asio::buffer(held), failure);
                held.erase(0, used);
                if (failure == http::error::need_more) {
                    failure = {};
                    break;
                }
                if (failure)
                    return false;
                if (used == 0)
                    break;
            }
            if (parser.is_done())
                return true;
            const std::size_t got = receive(m_socket, m_buffer);
            if (got == 0) {
                parser.put_eof(failure);
                return !failure && parser.is_done();
            }
            held.append(m_buffer.data(), got);
        }
    }

    void lose()
    {
        if (!m_exchange.hasBegun()) // else what is missing ends the connection
            m_exchange.answer(
                textAnswer(502, "The server on this port gave no answer that can be passed on."));
        else
            m_exchange.takeOver();
    }

    void join(const Answer& parser, const std::string& held)
    {
        m_exchange.takeOver();
        (void)m_exchange.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: "
                               + parser.upgrade() + "\r\n" + parser.headers() + "\r\n" + held);
        const std::jthread back([this] {
            while (const std::size_t got = receive(m_socket, m_buffer))
                if (!m_exchange.write({ m_buffer.data(), got }))
                    break;
            m_exchange.fail({ Errc::Cancelled, "the server has closed" }); // so that read() waits no longer
        });
        while (true) {
            const auto more = m_exchange.read();
            if (!more || more->empty() || !sendAll(m_socket, *more))
                break;
        }
        ::shutdown(m_socket, SHUT_RDWR);
    }

    HttpExchange& m_exchange;
    const HttpRelay& m_relay;
    const int m_socket;
    std::vector<char> m_buffer;
    bool m_changes = false;
};

} // namespace

void relayHttp(HttpExchange& exchange, const Fd& server, const HttpRelay& relay)
{
    Relay(exchange, server, relay).run();
}

} // namespace sg::net
