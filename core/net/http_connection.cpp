#include "core/net/http_connection.h"

#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace sg::net {
namespace {

using State = HttpHeadResult::State;

constexpr std::size_t kRead = 16384;
// After this much, other connections have their turn.
constexpr std::uint64_t kSendAtOnce = 1U << 20;
constexpr int kAnswersAtOnce = 64;
constexpr std::chrono::seconds kMostCredit{ 2 }; // for a client that took much at once

const char* phraseOf(int status)
{
    switch (status) {
    case 200: return "OK";
    case 206: return "Partial Content";
    case 304: return "Not Modified";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 408: return "Request Timeout";
    case 410: return "Gone";
    case 414: return "URI Too Long";
    case 416: return "Range Not Satisfiable";
    case 422: return "Unprocessable Content";
    case 431: return "Request Header Fields Too Large";
    case 500: return "Internal Server Error";
    case 501: return "Not Implemented";
    case 505: return "HTTP Version Not Supported";
    default: return "Answer";
    }
}

bool mustWait()
{
    return errno == EAGAIN || errno == EWOULDBLOCK;
}

} // namespace

HttpAnswer textAnswer(int status, std::string text, std::string headers)
{
    HttpAnswer answer;
    answer.status = status;
    answer.headers = "Content-Type: text/plain; charset=utf-8\r\nX-Content-Type-Options: nosniff\r\n"
                     "Cache-Control: no-store\r\n"
        + std::move(headers);
    answer.body = std::make_shared<const std::string>(std::move(text));
    return answer;
}

HttpConnection::HttpConnection(Fd socket, const HttpServerOptions& options, SteadyTime now)
    : m_socket(std::move(socket))
    , m_options(options)
    , m_deadline(now + options.headTime)
    , m_uselessFrom(now)
{
}

HttpConnection::Step HttpConnection::readMore()
{
    std::array<char, kRead> buffer; // not cleared, because most requests are a hundredth of it
    const ssize_t got = ::recv(m_socket.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (got > 0) {
        m_in.append(buffer.data(), static_cast<std::size_t>(got));
        return Step::Done;
    }
    return got < 0 && (mustWait() || errno == EINTR) ? Step::Waits : Step::Over;
}

void HttpConnection::begin(HttpAnswer answer, const HttpHead& head, SteadyTime now)
{
    m_answer = std::move(answer);
    const std::uint64_t size = m_answer.file ? m_answer.length : m_answer.body ? m_answer.body->size() : 0;
    const bool hasBody = m_answer.status != 304;
    m_bodySize = hasBody && head.method != "HEAD" ? size : 0;
    m_bodySent = 0;
    m_headSent = 0;
    m_head = "HTTP/1.1 " + std::to_string(m_answer.status) + ' ' + phraseOf(m_answer.status) + "\r\n";
    m_head += m_answer.headers;
    if (hasBody)
        m_head += "Content-Length: " + std::to_string(size) + "\r\n";
    m_head += m_closes    ? "Connection: close\r\n\r\n"
        : head.minor == 0 ? "Connection: keep-alive\r\n\r\n"
                          : "\r\n";
    m_isAnswering = true;
    m_answerEnd = now + m_options.answerTime
        + std::chrono::seconds(m_bodySize / std::max<std::uint64_t>(m_options.slowestBytes, 1));
    m_deadline = std::min(now + m_options.stallTime, m_answerEnd);
    m_uselessFrom = now + kMostCredit;
}

void HttpConnection::noteSent(std::uint64_t bytes, SteadyTime now)
{
    if (bytes == 0)
        return;
    m_turnBytes += bytes;
    m_deadline = std::min(now + m_options.stallTime, m_answerEnd);
    const std::chrono::duration<double> bought(static_cast<double>(bytes)
                                               / static_cast<double>(m_options.slowestBytes));
    const auto most = std::min<std::chrono::duration<double>>(bought, kMostCredit);
    m_uselessFrom =
        std::min(std::max(m_uselessFrom, now) + std::chrono::duration_cast<SteadyTime::duration>(most),
                 now + kMostCredit);
}

HttpConnection::Step HttpConnection::answerNext(const HttpServer::Handler& handler, SteadyTime now)
{
    HttpHead head;
    const HttpHeadResult read = parseHttpHead(m_in, head);
    if (read.state == State::NeedsMore)
        return Step::Waits;
    if (read.state == State::Refused) {
        m_closes = true;
        m_in.clear();
        begin(textAnswer(read.status, std::string(read.why) + ".\n"), {}, now);
        return Step::Done;
    }
    m_in.erase(0, read.size);
    if (head.isChunked || head.contentLength.value_or(0) > 0) {
        m_closes = true;
        m_in.clear();
        begin(textAnswer(400, "a request here has no body.\n"), head, now);
        return Step::Done;
    }
    m_closes = !head.keepsAlive();
    begin(handler(head), head, now);
    return Step::Done;
}

HttpConnection::Step HttpConnection::writeMore()
{
    const bool isFile = m_answer.file != nullptr;
    const std::uint64_t before = m_headSent + m_bodySent;
    const auto isTurnOver = [&] { return m_turnBytes + (m_headSent + m_bodySent - before) >= kSendAtOnce; };
    while (m_headSent < m_head.size() || (!isFile && m_bodySent < m_bodySize)) {
        if (isTurnOver())
            return Step::Waits;
        std::array<iovec, 2> parts{};
        std::size_t count = 0;
        if (m_headSent < m_head.size())
            parts[count++] = { m_head.data() + m_headSent, m_head.size() - m_headSent };
        if (!isFile && m_bodySent < m_bodySize) // sendmsg() takes non-const pointers, but only reads
            parts[count++] = { const_cast<char*>(m_answer.body->data()) + m_bodySent,
                               m_bodySize - m_bodySent };
        msghdr message{};
        message.msg_iov = parts.data();
        message.msg_iovlen = count;
        const int more = isFile && m_bodySize > 0 ? MSG_MORE : 0;
        const ssize_t sent = ::sendmsg(m_socket.get(), &message, MSG_DONTWAIT | MSG_NOSIGNAL | more);
        if (sent < 0)
            return mustWait() || errno == EINTR ? Step::Waits : Step::Over;
        const std::size_t ofHead = std::min(m_head.size() - m_headSent, static_cast<std::size_t>(sent));
        m_headSent += ofHead;
        m_bodySent += static_cast<std::uint64_t>(sent) - ofHead;
    }
    while (m_bodySent < m_bodySize) {
        if (isTurnOver())
            return Step::Waits;
        auto offset = static_cast<off_t>(m_answer.offset + m_bodySent);
        const ssize_t sent = ::sendfile(m_socket.get(), m_answer.file->get(), &offset,
                                        std::min(m_bodySize - m_bodySent, kSendAtOnce));
        if (sent < 0)
            return mustWait() || errno == EINTR ? Step::Waits : Step::Over;
        if (sent == 0)
            return Step::Over; // the file has become shorter
        m_bodySent += static_cast<std::uint64_t>(sent);
    }
    m_isAnswering = false;
    m_answer = {};
    return m_closes ? Step::Over : Step::Done;
}

bool HttpConnection::go(const HttpServer::Handler& handler, SteadyTime now)
{
    m_turnBytes = 0;
    m_hasMore = false;
    for (int answers = 0;;) {
        if (m_isAnswering) {
            const std::uint64_t before = m_headSent + m_bodySent;
            const Step wrote = writeMore();
            if (wrote == Step::Over) {
                (void)::shutdown(m_socket.get(), SHUT_WR);
                return false;
            }
            noteSent(m_headSent + m_bodySent - before, now);
            if (wrote == Step::Waits)
                return true;
            m_deadline = now + m_options.idleTime;
            m_uselessFrom = now;
            m_hasMore = !m_in.empty();
            if (++answers >= kAnswersAtOnce || m_turnBytes >= kSendAtOnce)
                return true;
        }
        const bool hadNothing = m_in.empty();
        if (hadNothing && answers > 0)
            return true; // poll tells when more arrives; usually nothing has
        if (!hadNothing && answerNext(handler, now) == Step::Done)
            continue;
        m_hasMore = false;
        const Step read = readMore();
        if (read == Step::Over)
            return false;
        if (read == Step::Waits)
            return true;
        if (hadNothing)
            m_deadline = now + m_options.headTime; // for the whole head, however slowly it arrives
    }
}

} // namespace sg::net
