#include "core/servers/e2b/file_transfer.h"

#include "core/servers/e2b/wire.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

namespace sg::servers::e2b {
namespace {

using net::HttpExchange;

constexpr std::size_t kPiece = 256U << 10;
constexpr std::size_t kMostPartHead = 16U << 10;
constexpr std::size_t kMostFiles = 1000;

// One file on its way into the sandbox. It is not visible there before finish().
class Upload {
public:
    static Result<Upload> begin(AgentLink& agent, const std::string& path, const std::stop_token& stop)
    {
        auto call = agent.begin({ { "op", "write" }, { "path", path } });
        if (!call)
            return std::move(call.error());
        if (auto ready = call->nextSoon(stop); !ready)
            return std::move(ready.error());
        auto stream = AgentStream::of(call->takePassed());
        if (!stream)
            return std::move(stream.error());
        return Upload(std::move(*call), std::move(*stream), stop);
    }
    Result<void> write(std::string_view bytes)
    {
        m_bytes += static_cast<std::int64_t>(bytes.size());
        auto sent = m_stream.write(bytes, m_stop);
        if (sent || sent.error().code == Errc::Cancelled)
            return sent;
        if (auto why = finish(); !why) // the agent says what is wrong
            return std::move(why.error());
        return sent;
    }
    // {"path", "name", "type"}
    Result<Value> finish()
    {
        m_stream.endWriting();
        if (auto sent = m_call.send({ { "op", "write_end" }, { "bytes", m_bytes } }); !sent)
            return std::move(sent.error());
        auto said = m_call.nextSoon(m_stop);
        if (!said)
            return said;
        return Value::map({ { "path", (*said)["entry"]["path"] },
                            { "name", (*said)["entry"]["name"] },
                            { "type", "file" } });
    }

private:
    Upload(AgentLink::Call call, AgentStream stream, std::stop_token stop)
        : m_call(std::move(call))
        , m_stream(std::move(stream))
        , m_stop(std::move(stop))
    {
    }
    AgentLink::Call m_call;
    AgentStream m_stream;
    std::stop_token m_stop;
    std::int64_t m_bytes = 0;
};

Result<Value> takeWhole(HttpExchange& exchange, AgentLink& agent, const std::string& path)
{
    auto upload = Upload::begin(agent, path, exchange.gone());
    if (!upload)
        return std::move(upload.error());
    while (true) {
        auto more = exchange.read();
        if (!more)
            return std::move(more.error());
        if (more->empty())
            return upload->finish();
        if (auto written = upload->write(*more); !written)
            return std::move(written.error());
    }
}

// Undoes what clients escape in the names of a form: quotes and line ends. Every other `%` is the name's own.
std::string withoutEscapes(std::string_view text)
{
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::string_view three = text.substr(i, 3);
        const char stands = three == "%22"     ? '"'
            : three == "%0D" || three == "%0d" ? '\r'
            : three == "%0A" || three == "%0a" ? '\n'
                                               : '\0';
        plain += stands == '\0' ? text[i] : stands;
        i += stands == '\0' ? 0 : 2;
    }
    return plain;
}

// The value of `name="…"` in a part's Content-Disposition.
std::optional<std::string> parameter(std::string_view head, std::string_view name)
{
    const std::string start = "; " + std::string(name) + "=\"";
    const std::size_t found = head.find(start);
    if (found == std::string_view::npos)
        return std::nullopt;
    std::string text;
    for (std::size_t i = found + start.size(); i < head.size() && head[i] != '"'; ++i) {
        if (head[i] == '\\' && i + 1 < head.size() && (head[i + 1] == '"' || head[i + 1] == '\\'))
            ++i;
        text += head[i];
    }
    return withoutEscapes(text);
}

// The parts of a multipart body, one after the other.
class Parts {
public:
    Parts(HttpExchange& exchange, const std::string& boundary)
        : m_exchange(exchange)
        , m_mark("\r\n--" + boundary)
        , m_in("\r\n") // so that the first boundary is like the others
    {
    }
    // The next part's head; nullopt: there is none.
    Result<std::optional<std::string>> next()
    {
        while (true) { // what is left of the part before
            auto left = read();
            if (!left)
                return std::move(left.error());
            if (left->empty())
                break;
        }
        m_isInPart = false;
        if (auto filled = fill(m_mark.size() + 2); !filled)
            return std::move(filled.error());
        m_in.erase(0, m_mark.size());
        if (m_in.starts_with("--"))
            return std::optional<std::string>();
        std::size_t end = 0;
        while ((end = m_in.find("\r\n\r\n")) == std::string::npos) {
            if (m_in.size() > kMostPartHead)
                return Error{ Errc::InvalidArgument, "a part's head is too long" };
            if (auto filled = fill(m_in.size() + 1); !filled)
                return std::move(filled.error());
        }
        std::string head = m_in.substr(0, end);
        m_in.erase(0, end + 4);
        m_isInPart = true;
        return std::optional<std::string>(std::move(head));
    }
    // Bytes of the present part; empty: its end.
    Result<std::string> read()
    {
        while (true) {
            const std::size_t mark = found();
            if (mark == 0)
                return std::string();
            const std::size_t sure = mark != std::string::npos ? mark
                : m_in.size() >= m_mark.size()                 ? m_in.size() - m_mark.size() + 1
                                                               : 0;
            if (sure > 0) {
                std::string rest = m_in.substr(sure); // much shorter, as a rule
                m_in.resize(sure);
                std::string bytes = std::exchange(m_in, std::move(rest));
                if (!m_isInPart)
                    return Error{ Errc::InvalidArgument, "the body does not begin with its boundary" };
                return bytes;
            }
            if (auto filled = fill(m_in.size() + 1); !filled)
                return std::move(filled.error());
        }
    }

private:
    [[nodiscard]] std::size_t found() const
    {
        const void* const at = ::memmem(m_in.data(), m_in.size(), m_mark.data(), m_mark.size());
        return at == nullptr ? std::string::npos
                             : static_cast<std::size_t>(static_cast<const char*>(at) - m_in.data());
    }
    Result<void> fill(std::size_t size)
    {
        while (m_in.size() < size) {
            auto more = m_exchange.read();
            if (!more)
                return std::move(more.error());
            if (more->empty())
                return Error{ Errc::InvalidArgument, "the body ends within a part" };
            m_in += *more;
        }
        return {};
    }
    HttpExchange& m_exchange;
    const std::string m_mark;
    std::string m_in;
    bool m_isInPart = false;
};

Result<Value> takeParts(HttpExchange& exchange, AgentLink& agent, const std::string& boundary,
                        const std::optional<std::string>& path)
{
    Parts parts(exchange, boundary);
    ValueList written;
    while (written.size() < kMostFiles) {
        auto head = parts.next();
        if (!head)
            return std::move(head.error());
        if (!*head)
            return Value(std::move(written));
        if (parameter(**head, "name").value_or("") != "file")
            continue;
        const auto name = parameter(**head, "filename");
        if (!path && (!name || name->empty()))
            return Error{ Errc::InvalidArgument, "a file has no name" };
        auto upload = Upload::begin(agent, path ? *path : *name, exchange.gone());
        if (!upload)
            return std::move(upload.error());
        while (true) {
            auto more = parts.read();
            if (!more)
                return std::move(more.error());
            if (more->empty())
                break;
            if (auto sent = upload->write(*more); !sent)
                return std::move(sent.error());
        }
        auto done = upload->finish();
        if (!done)
            return done;
        written.push_back(std::move(*done));
    }
    return Error{ Errc::LimitExceeded, "a request may have 1000 files" };
}

} // namespace

Value changeOf(const Value& said)
{
    std::string kind = said["data"].isBytes() ? said["data"].asBytes() : std::string();
    kind.erase(std::min(kind.find(' '), kind.size()));
    return Value::map({ { "name", said.stringOr("name", "") }, { "type", "EVENT_TYPE_" + kind } });
}

void sendFile(HttpExchange& exchange, AgentLink& agent)
{
    const auto path = net::queryField(exchange.head().target, "path");
    if (!path)
        return exchange.answer(failure(400, "path is missing"));
    auto call = agent.begin({ { "op", "read" }, { "path", *path } });
    auto said = call ? call->nextSoon(exchange.gone()) : Result<Value>(call.error());
    if (!said)
        return exchange.answer(failure(statusOf(said.error().code), said.error().message));
    auto stream = AgentStream::of(call->takePassed());
    if (!stream)
        return exchange.answer(failure(500, stream.error().message));
    auto left = static_cast<std::uint64_t>(std::max<std::int64_t>(0, said->intOr("size", 0)));
    exchange.begin(200,
                   "Content-Type: application/octet-stream\r\nX-Content-Type-Options: nosniff\r\n"
                   "Content-Disposition: attachment\r\nCache-Control: no-store\r\n",
                   left);
    std::string buffer(kPiece, '\0');
    while (left > 0) { // what is missing ends the connection
        const auto got =
            stream->read(buffer.data(), std::min<std::uint64_t>(buffer.size(), left), exchange.gone());
        if (!got || *got == 0 || !exchange.write(std::string_view(buffer).substr(0, *got)))
            return;
        left -= *got;
    }
}

void takeFiles(HttpExchange& exchange, AgentLink& agent)
{
    const net::HttpHead& head = exchange.head();
    if (head.method != "POST")
        return exchange.answer(failure(405, "Files are read by GET and written by POST"));
    const auto path = net::queryField(head.target, "path");
    const std::string type = headerOf(head, "content-type");
    if (!headerOf(head, "content-encoding").empty())
        return exchange.answer(failure(415, "files are taken without a Content-Encoding"));
    Result<Value> taken = Error{ Errc::InvalidArgument,
                                 "files come as multipart/form-data, or one as application/octet-stream" };
    if (type.starts_with("application/octet-stream")) {
        taken = path ? takeWhole(exchange, agent, *path)
                     : Result<Value>(Error{ Errc::InvalidArgument, "path is missing" });
        if (taken)
            taken = Value::list({ *taken });
    } else if (const std::size_t mark = type.find("boundary="); mark != std::string::npos) {
        std::string boundary = type.substr(mark + 9);
        boundary.erase(std::min(boundary.find(';'), boundary.size()));
        std::erase(boundary, '"');
        if (!boundary.empty() && boundary.size() <= 200)
            taken = takeParts(exchange, agent, boundary, path && !path->empty() ? path : std::nullopt);
    }
    if (taken)
        return exchange.answer(net::jsonAnswer(200, *taken));
    exchange.answer(failure(statusOf(taken.error().code), taken.error().message));
}

} // namespace sg::servers::e2b
