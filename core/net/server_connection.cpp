#include "core/net/server_connection.h"

#include "core/net/server_socket.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/parser.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility> // Asio 1.74 needs it before its own headers with GCC 12

namespace sg::net {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using Tcp = asio::ip::tcp;
using State = ServerSocket::State;
using std::chrono::steady_clock;

constexpr std::size_t kRead = 256U << 10;
constexpr std::uint32_t kMostLine = 64U << 10; // of a chunk
// After this much, other connections have their turn.
constexpr std::uint64_t kMostAtOnce = 1U << 20;
constexpr int kAnswersAtOnce = 64;
constexpr std::size_t kMostAhead = 64U << 10; // of later requests, while one is answered
constexpr std::chrono::seconds kMostCredit{ 2 }; // for a client that took much at once
constexpr std::chrono::seconds kDrain{ 2 }; // for a refused body to be read, so that the refusal arrives

// Takes the body of a request out of what the connection sends.
class BodyDecoder {
public:
    // `headText` is the request's head as it came. False: its chunks cannot be read.
    bool begin(const HttpHead& head, std::string_view headText)
    {
        m_left = head.contentLength.value_or(0);
        m_isOver = m_left == 0 && !head.isChunked;
        m_isBroken = false;
        m_isStuck = false;
        m_chunks = nullptr;
        if (!head.isChunked)
            return true;
        m_chunks = std::make_unique<Parser>();
        m_chunks->body_limit(boost::none);
        m_chunks->header_limit(kMostLine); // also of each chunk's line
        boost::system::error_code failed;
        m_chunks->put(asio::buffer(headText.data(), headText.size()), failed);
        return !failed && m_chunks->is_header_done();
    }
    [[nodiscard]] bool isOver() const { return m_isOver; }
    // Gives the exchange as much of `in` as it has room for.
    void decode(std::string& in, HttpExchange& exchange)
    {
        if (m_isOver)
            return;
        std::size_t used = 0;
        if (m_chunks) {
            used = decodeChunks(in, exchange);
        } else if (exchange.wantsBody()) {
            used = static_cast<std::size_t>(std::min<std::uint64_t>(in.size(), m_left));
            exchange.gotBody(std::string_view(in).substr(0, used));
            m_left -= used;
            m_isOver = m_left == 0;
        }
        in.erase(0, used);
        if (m_isOver && !m_isBroken)
            exchange.endBody();
    }
    // Nothing after it can be read.
    void breakOff(HttpExchange& exchange)
    {
        m_isOver = true;
        m_isBroken = true;
        exchange.fail({ Errc::InvalidArgument, "the chunks of the body are not well-formed" });
    }
    [[nodiscard]] bool isBroken() const { return m_isBroken; }
    // The exchange had room, and what has come makes nothing whole.
    [[nodiscard]] bool isStuck() const { return m_isStuck; }

private:
    using Parser = http::request_parser<http::buffer_body>;

    std::size_t decodeChunks(const std::string& in, HttpExchange& exchange)
    {
        thread_local std::array<char, kRead> piece;
        std::size_t used = 0;
        m_isStuck = false;
        while (used < in.size() && exchange.wantsBody() && !m_isOver) {
            auto& body = m_chunks->get().body();
            body.data = piece.data();
            body.size = piece.size();
            body.more = true;
            boost::system::error_code failed;
            const std::size_t took = m_chunks->put(asio::buffer(in.data() + used, in.size() - used), failed);
            const std::size_t made = piece.size() - body.size;
            used += took;
            if (made > 0)
                exchange.gotBody({ piece.data(), made });
            m_isOver = m_chunks->is_done();
            if (failed && failed != http::error::need_buffer && failed != http::error::need_more)
                breakOff(exchange);
            else if (took == 0 && made == 0) {
                m_isStuck = true;
                break;
            }
        }
        return used;
    }

    std::unique_ptr<Parser> m_chunks; // null: the body has a length
    std::uint64_t m_left = 0;
    bool m_isOver = true;
    bool m_isBroken = false;
    bool m_isStuck = false;
};

class Connection final : public ServerConnection, public std::enable_shared_from_this<Connection> {
public:
    Connection(Tcp::socket socket, const World& world)
        : m_world(world)
        , m_socket(std::move(socket))
        , m_io(makeServerSocket(m_socket.native_handle(), world.keys))
        , m_readBy(steady_clock::now() + world.options.headTime)
        , m_uselessFrom(steady_clock::now())
    {
    }
    void start() override { go(); }
    void close(Error why) override;
    [[nodiscard]] SteadyTime deadline() const override { return std::min(m_readBy, m_writeBy); }
    [[nodiscard]] SteadyTime uselessFrom() const override { return m_uselessFrom; }
    [[nodiscard]] bool isAnswering() const override { return m_isSending || m_exchange != nullptr; }

private:
    enum class Flow { GoesOn, Stops };

    void go();
    void goLater();
    void waitFor(State what);
    Flow readMore();
    Flow takeHead();
    void decide(std::string_view headText);
    void startExchange(std::string_view headText);
    void refuse(int status, const char* why);

    void send(HttpAnswer answer);
    void sendText(std::string text);
    Flow writeMore();
    void noteSent(std::uint64_t bytes);
    Flow answered();
    Flow drain();

    Flow pump();
    Flow writeExchange();
    bool takeFromExchange();
    Flow readExchange();

    const World& m_world;
    Tcp::socket m_socket;
    const std::unique_ptr<ServerSocket> m_io;
    SteadyTime m_readBy; // what is being read must have progressed by then
    SteadyTime m_writeBy = SteadyTime::max();
    SteadyTime m_answerEnd = SteadyTime::max(); // a whole quick answer must have been taken by then
    SteadyTime m_uselessFrom;

    bool m_isClosed = false;
    bool m_isReadable = true; // something may be there to read
    bool m_waitsToRead = false;
    bool m_waitsToWrite = false;
    std::atomic<bool> m_isWoken = false;
    std::string m_in;
    HttpHead m_head;
    std::uint64_t m_turnBytes = 0;
    int m_turnAnswers = 0;

    // The answer that is being sent: a text, then a body.
    bool m_isSending = false;
    bool m_closes = false; // the connection ends after the answer
    bool m_isDraining = false;
    std::string m_text;
    std::size_t m_textSent = 0;
    HttpAnswer m_answer;
    std::uint64_t m_bodySent = 0;
    std::uint64_t m_bodySize = 0;

    // The exchange that is under way, its body, and how its answer is framed.
    struct Framing {
        bool hasHead = false;
        bool hasEnd = false;
        bool dropsBody = false; // HEAD, 204, 304
        HttpFraming kind = HttpFraming::None;
        std::uint64_t left = 0; // of a length that it has told
    };
    std::shared_ptr<HttpExchange> m_exchange;
    BodyDecoder m_body;
    bool m_waitsForContinue = false;
    Framing m_framing;
};

void Connection::close(Error why)
{
    if (std::exchange(m_isClosed, true))
        return;
    const auto self = shared_from_this();
    boost::system::error_code ignored;
    m_socket.close(ignored);
    if (m_exchange)
        m_exchange->fail(std::move(why));
    m_exchange = nullptr;
    m_world.closed(*this);
}

void Connection::goLater()
{
    if (m_isWoken.exchange(true))
        return;
    asio::post(m_world.loop, [self = shared_from_this()] {
        self->m_isWoken = false;
        self->go();
    });
}

void Connection::waitFor(State what)
{
    bool& waits = what == State::NeedsRead ? m_waitsToRead : m_waitsToWrite;
    if (std::exchange(waits, true))
        return;
    const auto kind = what == State::NeedsRead ? Tcp::socket::wait_read : Tcp::socket::wait_write;
    m_socket.async_wait(kind, [self = shared_from_this(), what](const boost::system::error_code& failed) {
        (what == State::NeedsRead ? self->m_waitsToRead : self->m_waitsToWrite) = false;
        if (failed)
            return;
        self->m_isReadable = self->m_isReadable || what == State::NeedsRead;
        self->go();
    });
}

void Connection::go()
{
    m_turnBytes = 0;
    m_turnAnswers = 0;
    const auto self = shared_from_this();
    for (Flow flow = Flow::GoesOn; flow == Flow::GoesOn && !m_isClosed;) {
        if (m_isDraining)
            flow = drain();
        else if (m_exchange)
            flow = pump();
        else if (m_isSending)
            flow = writeMore() == Flow::GoesOn ? answered() : Flow::Stops;
        else if (m_in.empty() || takeHead() == Flow::Stops)
            flow = readMore();
    }
}

// Reads once. Stops: nothing is there, and go() follows when something is.
Connection::Flow Connection::readMore()
{
    if (!m_isReadable && !m_io->hasMore()) {
        waitFor(State::NeedsRead);
        return Flow::Stops;
    }
    thread_local std::array<char, kRead> buffer;
    const auto [state, bytes] = m_io->read(buffer.data(), buffer.size());
    if (state == State::Over) {
        close({ Errc::Cancelled, "the client has closed the connection" });
        return Flow::Stops;
    }
    m_isReadable = state == State::Done && bytes == buffer.size();
    if (state != State::Done) {
        waitFor(state);
        return Flow::Stops;
    }
    if (m_in.empty() && !m_exchange && !m_isDraining)
        m_readBy = steady_clock::now() + m_world.options.headTime; // for the whole head, however slowly
    m_in.append(buffer.data(), bytes);
    m_turnBytes += bytes;
    return Flow::GoesOn;
}

// Stops: the head is not whole yet.
Connection::Flow Connection::takeHead()
{
    const HttpHeadResult read = parseHttpHead(m_in, m_head);
    if (read.state == HttpHeadResult::State::NeedsMore)
        return Flow::Stops;
    if (read.state == HttpHeadResult::State::Refused) {
        m_head = {};
        m_in.clear();
        refuse(read.status, read.why);
        return Flow::GoesOn;
    }
    m_readBy = SteadyTime::max();
    m_closes = !m_head.keepsAlive();
    const std::string text = m_in.substr(0, read.size);
    m_in.erase(0, read.size);
    decide(text);
    return Flow::GoesOn;
}

void Connection::decide(std::string_view headText)
{
    const bool hasBody = m_head.isChunked || m_head.contentLength.value_or(0) > 0;
    if (hasBody && !m_world.service.exchange)
        return refuse(400, "this server takes no bodies");
    if (m_world.service.quick)
        if (auto answer = m_world.service.quick(m_head)) {
            m_closes = m_closes || hasBody;
            return send(std::move(*answer));
        }
    if (!m_world.service.exchange)
        return refuse(404, "there is nothing here");
    if (m_world.streams.load() >= m_world.options.streams) {
        m_closes = true;
        return send(textAnswer(503, "The server is busy with as many requests as it may have at once.\n",
                               "Retry-After: 1\r\n"));
    }
    startExchange(headText);
}

void Connection::refuse(int status, const char* why)
{
    m_closes = true;
    send(textAnswer(status, std::string(why) + "\n"));
}

void Connection::startExchange(std::string_view headText)
{
    if (!m_body.begin(m_head, headText))
        return refuse(400, "the head of the request cannot be read");
    const std::string* const expect = m_head.find("expect");
    m_waitsForContinue = !m_body.isOver() && expect != nullptr && m_head.minor == 1
        && (*expect == "100-continue" || *expect == "100-Continue");
    m_framing = {};
    m_framing.dropsBody = m_head.method == "HEAD";
    m_uselessFrom = SteadyTime::max();
    m_exchange = std::make_shared<HttpExchange>(m_head, [weak = weak_from_this()] {
        if (const auto self = weak.lock())
            self->goLater();
    });
    if (m_body.isOver())
        m_exchange->endBody();
    m_world.streams += 1;
    m_world.threads.submit([exchange = m_exchange, &world = m_world] {
        world.service.exchange(*exchange);
        if (!exchange->hasBegun())
            exchange->answer(textAnswer(500, "The request was not answered.\n"));
        world.streams -= 1;
        exchange->finish();
    });
}

void Connection::send(HttpAnswer answer)
{
    m_answer = std::move(answer);
    const std::uint64_t size = m_answer.size();
    const bool hasBody = m_answer.status != 304 && m_answer.status != 204;
    m_bodySize = hasBody && m_head.method != "HEAD" ? size : 0;
    m_bodySent = 0;
    sendText(answerHead(m_answer.status, m_answer.headers, hasBody ? HttpFraming::Length : HttpFraming::None,
                        size, m_closes, m_head));
    const SteadyTime now = steady_clock::now();
    m_answerEnd = now + m_world.options.answerTime
        + std::chrono::seconds(m_bodySize / std::max<std::uint64_t>(m_world.options.slowestBytes, 1));
    m_writeBy = std::min(now + m_world.options.stallTime, m_answerEnd);
    m_uselessFrom = now + kMostCredit;
}

void Connection::sendText(std::string text)
{
    m_text = std::move(text);
    m_textSent = 0;
    m_isSending = true;
    m_answerEnd = SteadyTime::max();
    m_writeBy = steady_clock::now() + m_world.options.stallTime;
}

void Connection::noteSent(std::uint64_t bytes)
{
    const SteadyTime now = steady_clock::now();
    m_turnBytes += bytes;
    m_writeBy = std::min(now + m_world.options.stallTime, m_answerEnd);
    if (m_exchange)
        return;
    const std::chrono::duration<double> bought(static_cast<double>(bytes)
                                               / static_cast<double>(m_world.options.slowestBytes));
    const auto most = std::min<std::chrono::duration<double>>(bought, kMostCredit);
    m_uselessFrom =
        std::min(std::max(m_uselessFrom, now) + std::chrono::duration_cast<SteadyTime::duration>(most),
                 now + kMostCredit);
}

// Stops: go() follows when more can be sent.
Connection::Flow Connection::writeMore()
{
    while (m_textSent < m_text.size() || m_bodySent < m_bodySize) {
        if (m_turnBytes >= kMostAtOnce) {
            goLater();
            return Flow::Stops;
        }
        const std::string_view text = std::string_view(m_text).substr(m_textSent);
        const auto left = static_cast<std::size_t>(std::min(m_bodySize - m_bodySent, kMostAtOnce));
        std::string_view body;
        if (!m_answer.file && left > 0)
            body = std::string_view(*m_answer.body).substr(m_bodySent, left);
        const auto [state, bytes] = m_answer.file && text.empty()
            ? m_io->sendFile(m_answer.file->get(), m_answer.offset + m_bodySent, left)
            : m_io->write(text, body);
        if (state == State::Over) {
            close({ Errc::Cancelled, "the client has closed the connection" });
            return Flow::Stops;
        }
        if (state != State::Done) {
            waitFor(state);
            return Flow::Stops;
        }
        const std::size_t ofText = std::min(text.size(), bytes);
        m_textSent += ofText;
        m_bodySent += bytes - ofText;
        noteSent(bytes);
    }
    m_isSending = false;
    m_text.clear();
    m_answer = {};
    m_bodySize = 0;
    m_bodySent = 0;
    m_writeBy = SteadyTime::max();
    return Flow::GoesOn;
}

// A whole answer has been sent.
Connection::Flow Connection::answered()
{
    const SteadyTime now = steady_clock::now();
    if (m_closes) {
        m_io->endWriting();
        m_isDraining = true;
        m_in.clear();
        m_readBy = now + kDrain;
        m_uselessFrom = now;
        return Flow::GoesOn;
    }
    m_readBy = now + (m_in.empty() ? m_world.options.idleTime : m_world.options.headTime);
    m_uselessFrom = now;
    if (++m_turnAnswers < kAnswersAtOnce && m_turnBytes < kMostAtOnce)
        return Flow::GoesOn;
    goLater();
    return Flow::Stops;
}

// A connection that is closed with bytes unread loses what was sent last.
Connection::Flow Connection::drain()
{
    m_in.clear();
    if (m_turnBytes < kMostAtOnce)
        return readMore();
    goLater();
    return Flow::Stops;
}

Connection::Flow Connection::pump()
{
    const Flow writing = writeExchange();
    if (m_isClosed || !m_exchange)
        return m_isClosed ? Flow::Stops : writing;
    const Flow reading = readExchange();
    if (m_isClosed)
        return Flow::Stops;
    // The other side of what goes on has its turn, too; what stops has something that calls go().
    if (writing == Flow::GoesOn || reading == Flow::GoesOn)
        goLater();
    return Flow::Stops;
}

// Puts what comes next from the handler into m_text or m_answer. False: there is nothing now.
bool Connection::takeFromExchange()
{
    HttpExchange::Next next = m_exchange->takeNext();
    if (next.whole) {
        m_framing.hasHead = true;
        m_framing.hasEnd = true;
        m_closes = m_closes || !m_body.isOver();
        send(std::move(*next.whole));
        return true;
    }
    std::string text;
    if (next.begins) {
        m_framing.hasHead = true;
        m_framing.dropsBody = m_framing.dropsBody || next.status == 204 || next.status == 304;
        m_framing.kind = next.length ? HttpFraming::Length
            : m_head.minor == 1      ? HttpFraming::Chunked
                                     : HttpFraming::Close;
        if (next.status == 204 || next.status == 304)
            m_framing.kind = HttpFraming::None;
        m_closes = m_closes || !m_body.isOver() || m_framing.kind == HttpFraming::Close;
        m_framing.left = next.length.value_or(0);
        text = answerHead(next.status, next.headers, m_framing.kind, m_framing.left, m_closes, m_head);
    }
    if (!next.bytes.empty() && !m_framing.dropsBody) {
        if (m_framing.kind == HttpFraming::Chunked) {
            std::array<char, 24> size{};
            std::snprintf(size.data(), size.size(), "%zx\r\n", next.bytes.size());
            text += size.data();
        } else if (m_framing.kind == HttpFraming::Length) {
            next.bytes.resize(
                static_cast<std::size_t>(std::min<std::uint64_t>(next.bytes.size(), m_framing.left)));
            m_framing.left -= next.bytes.size();
        }
        if (text.empty())
            text = std::move(next.bytes);
        else
            text += next.bytes;
        if (m_framing.kind == HttpFraming::Chunked)
            text += "\r\n";
    }
    if (text.empty() && next.isOver && !m_framing.hasEnd) {
        m_framing.hasEnd = true;
        if (m_framing.kind == HttpFraming::Chunked && !m_framing.dropsBody && !m_exchange->isTakenOver())
            text = "0\r\n\r\n";
        m_closes = m_closes || m_exchange->isTakenOver()
            || (m_framing.kind == HttpFraming::Length && m_framing.left > 0 && !m_framing.dropsBody);
    }
    if (text.empty())
        return false;
    sendText(std::move(text));
    return true;
}

// GoesOn: a turn is over. Stops: it waits for the client or for the handler.
Connection::Flow Connection::writeExchange()
{
    while (m_turnBytes < kMostAtOnce) {
        if (m_isSending) {
            if (writeMore() == Flow::Stops)
                return Flow::Stops;
            continue;
        }
        if (m_waitsForContinue && !m_framing.hasHead && m_exchange->isAskedForBody()) {
            m_waitsForContinue = false;
            sendText("HTTP/1.1 100 Continue\r\n\r\n");
            continue;
        }
        if (takeFromExchange())
            continue;
        if (!m_framing.hasEnd)
            return Flow::Stops;
        m_exchange = nullptr;
        return answered();
    }
    return Flow::GoesOn;
}

Connection::Flow Connection::readExchange()
{
    const bool isRaw = m_exchange->isTakenOver();
    while (m_turnBytes < kMostAtOnce) {
        if (isRaw && !m_in.empty() && m_exchange->wantsBody())
            m_exchange->gotBody(std::exchange(m_in, {}));
        else if (!isRaw)
            m_body.decode(m_in, *m_exchange);
        if (m_body.isBroken() && !m_closes) {
            m_closes = true;
            m_in.clear();
        }
        if (!m_exchange->wantsBody() || m_in.size() >= kMostAhead) {
            if (m_body.isStuck() && !m_body.isOver() && !isRaw)
                m_body.breakOff(*m_exchange); // no chunk's line is that long
            m_readBy = SteadyTime::max();
            return Flow::Stops; // the handler reads, or ends, and wakes this
        }
        const bool isDue = !isRaw && !m_body.isOver() && m_exchange->isAskedForBody();
        const std::size_t before = m_in.size();
        const Flow flow = readMore();
        if (m_isClosed)
            return Flow::Stops;
        if (!isDue)
            m_readBy = SteadyTime::max();
        else if (m_in.size() > before || m_readBy == SteadyTime::max())
            m_readBy = steady_clock::now() + m_world.options.stallTime;
        if (flow == Flow::Stops)
            return Flow::Stops;
    }
    return Flow::GoesOn;
}

} // namespace

std::shared_ptr<ServerConnection> ServerConnection::open(Fd socket, const World& world)
{
    Tcp::socket taken(world.loop);
    boost::system::error_code failed;
    taken.assign(Tcp::v4(), socket.get(), failed); // the protocol matters to nothing that is used here
    if (failed)
        return nullptr;
    (void)socket.take();
    return std::make_shared<Connection>(std::move(taken), world);
}

} // namespace sg::net
