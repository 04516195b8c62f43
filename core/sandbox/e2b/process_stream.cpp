#include "core/sandbox/e2b/process_stream.h"

#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/printable.h"
#include "core/net/connect_rpc.h"

#include <algorithm>
#include <cstring>

namespace sg::sandbox::e2b {
namespace {

using namespace std::chrono_literals;

constexpr auto kStartTime = 30s;
constexpr const char* kKeepalive = "20"; // seconds of silence after which the daemon says that it lives
constexpr auto kSilence = 65s; // three of these are missing: the connection is dead
constexpr std::size_t kMostUnread = 16U << 20;
constexpr std::size_t kMostErrors = 16384;
constexpr std::size_t kMostRefusal = 65536;
constexpr std::size_t kPiece = 384U << 10; // of input, in one call

} // namespace

ProcessStream::ProcessStream(std::shared_ptr<Service> service, Access access)
    : m_service(std::move(service))
    , m_access(std::move(access))
{
}

ProcessStream::~ProcessStream()
{
    close();
}

Result<std::unique_ptr<ProcessStream>> ProcessStream::start(std::shared_ptr<Service> service, Access access,
                                                            const Wish& wish)
{
    std::unique_ptr<ProcessStream> made(new ProcessStream(std::move(service), std::move(access)));
    const Value message =
        Value::map({ { "process", Value::map({ { "cmd", wish.command }, { "args", wish.arguments } }) },
                     { "stdin", true } });
    if (auto begun = made->begin("/process.Process/Start", message); !begun)
        return std::move(begun.error());
    return made;
}

Result<void> ProcessStream::begin(const std::string& method, const Value& message)
{
    net::HttpRequest request;
    std::stop_token stop;
    {
        const std::lock_guard lock(m_mutex);
        request = m_service->request(m_access, "POST", method);
        m_isOver = m_hasEnded = false;
        m_refusal.clear();
        m_why.clear();
        m_stop = std::stop_source();
        stop = m_stop.get_token();
    }
    request.headers.emplace_back("Content-Type", "application/connect+json");
    request.headers.emplace_back("Connect-Protocol-Version", "1");
    request.headers.emplace_back("Keepalive-Ping-Interval", kKeepalive);
    request.body = net::rpcEnvelope(0, toJson(message));
    request.timeout = std::chrono::milliseconds(0);
    request.stallTimeout = kSilence;
    request.stop = stop;
    const std::int64_t before = std::exchange(m_pid, 0);
    m_reader = std::jthread(
        [this, request = std::move(request)](const std::stop_token& ended) { receive(ended, request); });
    std::unique_lock lock(m_mutex);
    const bool isDue =
        m_changed.wait_for(lock, kStartTime, [&] { return m_pid != 0 || m_isOver || m_isClosed; });
    if (m_pid != 0)
        return {};
    m_pid = before;
    if (!isDue) {
        m_stop.request_stop();
        return Error{ Errc::Timeout,
                      "the sandbox's process was started, but nothing came of its stream in 30 seconds: "
                      "something between may hold streams back" };
    }
    return Error{ m_code, m_why.empty() ? "the stream was closed" : m_why };
}

Result<void> ProcessStream::follow(const Access& access)
{
    std::int64_t pid = 0;
    {
        const std::lock_guard lock(m_mutex);
        if (m_isClosed)
            return Error{ Errc::Cancelled, "the stream was closed" };
        m_access = access;
        pid = m_pid;
        m_stop.request_stop();
        m_changed.notify_all();
    }
    m_reader = std::jthread(); // the earlier one ends first
    auto begun =
        begin("/process.Process/Connect", Value::map({ { "process", Value::map({ { "pid", pid } }) } }));
    if (begun)
        letGo();
    return begun;
}

void ProcessStream::receive(const std::stop_token& stop, const net::HttpRequest& request)
{
    net::RpcReader reader;
    net::HttpRequest mine = request;
    const std::stop_callback ended(stop, [this] { m_stop.request_stop(); });
    mine.onBody = [&](int status, std::string_view piece) { return take(status, piece, reader); };
    const auto answer = m_service->send(mine);
    const std::lock_guard lock(m_mutex);
    if (!m_isOver) {
        m_code = Errc::Unavailable;
        if (!answer) {
            m_why = (m_pid != 0 ? "the connection to the sandbox broke off: " : "") + answer.error().message;
        } else if (answer->status == 200) {
            m_why = "the stream from the sandbox broke off";
        } else {
            net::HttpResponse refusal = *answer;
            refusal.body = m_refusal;
            m_why = "the sandbox's daemon refused to start a process: " + messageIn(refusal);
            m_code = answer->status == 401 ? Errc::PermissionDenied
                : answer->status == 404    ? Errc::NotFound
                                           : Errc::Unavailable;
        }
        m_isOver = true;
    }
    m_changed.notify_all();
}

bool ProcessStream::take(int status, std::string_view piece, net::RpcReader& reader)
{
    std::unique_lock lock(m_mutex);
    if (status != 200) {
        m_refusal.append(piece.substr(0, kMostRefusal - std::min(kMostRefusal, m_refusal.size())));
        return true;
    }
    reader.add(piece);
    while (!m_isOver) {
        auto message = reader.next();
        if (!message) {
            m_code = Errc::Corrupt;
            m_why = "the sandbox's daemon does not keep to its protocol: " + message.error().message;
            m_isOver = true;
            break;
        }
        if (!*message)
            break;
        if ((*message)->isEnd) {
            const Value& error = (*message)->value["error"];
            m_isOver = true;
            if (error.isMap()) {
                const std::string code = error.stringOr("code", "");
                m_code = code == "not_found" ? Errc::NotFound : Errc::Unavailable;
                m_why = printableText(error.stringOr("message", code).substr(0, 1000));
            }
            break;
        }
        takeEvent((*message)->value["event"]);
    }
    m_changed.notify_all();
    // A slow reader here slows the sandbox down, and fills no memory.
    m_changed.wait(lock,
                   [&] { return m_in.size() - m_at < kMostUnread || m_isClosed || m_stop.stop_requested(); });
    return !m_isOver && !m_isClosed && !m_stop.stop_requested();
}

// Called with m_mutex held.
void ProcessStream::takeEvent(const Value& event)
{
    if (const Value* start = event.find("start")) {
        m_pid = start->intOr("pid", 0);
    } else if (const Value* data = event.find("data")) {
        if (const Value* out = data->find("stdout"); out != nullptr && out->isString())
            m_in += net::fromBase64(out->asString());
        if (const Value* err = data->find("stderr"); err != nullptr && err->isString()) {
            const std::string text = net::fromBase64(err->asString());
            m_errors.append(text, 0, kMostErrors - std::min(kMostErrors, m_errors.size()));
        }
    } else if (const Value* end = event.find("end")) {
        m_hasEnded = true;
        m_why = "its process has ended: "
            + printableText(
                    end->stringOr("status", "exit status " + std::to_string(end->intOr("exitCode", -1)))
                        .substr(0, 200));
    }
}

Result<std::size_t> ProcessStream::read(char* buffer, std::size_t size, std::chrono::milliseconds timeout)
{
    std::unique_lock lock(m_mutex);
    const auto isDue = [&] { return m_at < m_in.size() || (m_isOver && !m_isHeld) || m_isClosed; };
    if (!m_changed.wait_for(lock, timeout, isDue))
        return Error{ Errc::Timeout,
                      "the sandbox sent nothing in " + std::to_string(timeout.count()) + " ms" };
    if (m_at == m_in.size() || m_isClosed)
        return std::size_t{ 0 };
    const std::size_t count = std::min(size, m_in.size() - m_at);
    std::memcpy(buffer, m_in.data() + m_at, count);
    m_at += count;
    if (m_at == m_in.size()) {
        m_in.clear();
        m_at = 0;
    } else if (m_at > (1U << 20)) {
        m_in.erase(0, m_at);
        m_at = 0;
    }
    m_changed.notify_all();
    return count;
}

// A request that was refused for its token has not reached the process, so it is sent again.
Result<void> ProcessStream::write(std::string_view bytes)
{
    while (!bytes.empty()) {
        const std::string_view piece = bytes.substr(0, kPiece);
        bytes.remove_prefix(piece.size());
        auto answer = sendInput(piece);
        if (answer && answer->status == 401 && renew())
            answer = sendInput(piece);
        if (!answer)
            return Error{ Errc::Unavailable, "write to the sandbox: " + answer.error().message };
        if (answer->status != 200)
            return Error{ Errc::Unavailable, "write to the sandbox: " + messageIn(*answer) };
    }
    return {};
}

Result<net::HttpResponse> ProcessStream::sendInput(std::string_view bytes)
{
    net::HttpRequest request;
    {
        const std::lock_guard lock(m_mutex);
        if (m_isHeld)
            return Error{ Errc::Unavailable, "it is paused" };
        if (m_isClosed || m_isOver)
            return Error{ Errc::Unavailable, m_isClosed ? "its stream is closed" : m_why };
        request = m_service->request(m_access, "POST", "/process.Process/SendInput");
        request.stop = m_stop.get_token();
        request.body = toJson(Value::map({ { "process", Value::map({ { "pid", m_pid } }) },
                                           { "input", Value::map({ { "stdin", toBase64(bytes) } }) } }));
    }
    request.headers.emplace_back("Content-Type", "application/json");
    request.headers.emplace_back("Connect-Protocol-Version", "1");
    return m_service->send(request);
}

Access ProcessStream::access()
{
    const std::lock_guard lock(m_mutex);
    return m_access;
}

Result<void> ProcessStream::renew()
{
    auto made = m_service->renewed(access());
    if (!made)
        return std::move(made.error());
    const std::lock_guard lock(m_mutex);
    m_access = std::move(*made);
    return {};
}

void ProcessStream::hold()
{
    const std::lock_guard lock(m_mutex);
    m_isHeld = true;
}

void ProcessStream::letGo()
{
    const std::lock_guard lock(m_mutex);
    m_isHeld = false;
    m_changed.notify_all();
}

void ProcessStream::close()
{
    const std::lock_guard lock(m_mutex);
    m_isClosed = true;
    m_stop.request_stop();
    m_changed.notify_all();
}

bool ProcessStream::isCutOff()
{
    const std::lock_guard lock(m_mutex);
    return m_isOver && !m_hasEnded && !m_isClosed;
}

bool ProcessStream::hasEnded()
{
    const std::lock_guard lock(m_mutex);
    return m_hasEnded;
}

std::string ProcessStream::errors()
{
    const std::lock_guard lock(m_mutex);
    return m_errors.empty() ? m_why : m_errors;
}

} // namespace sg::sandbox::e2b
