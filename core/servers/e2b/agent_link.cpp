#include "core/servers/e2b/agent_link.h"

#include "core/base/msgpack.h"
#include "core/sessions/runner/runner_link.h"
#include "core/sessions/session.h"

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

namespace sg::servers::e2b {
namespace {

using std::chrono::steady_clock;

constexpr Millis kPatience{ 15'000 };
constexpr std::size_t kMostFrame = 4U << 20;
// An agent sends no more than a megabyte ahead of what was taken; one that does is none of ours.
constexpr std::size_t kMostAhead = 8U << 20;
constexpr std::size_t kFrameCost = 64;
constexpr std::chrono::seconds kTransferPatience{ 15 }; // without a byte
constexpr int kLookMs = 500;
constexpr std::size_t kMostPassed = 16; // sockets ahead of the frames that tell of them
constexpr timeval kSendTime{ 10, 0 }; // for an agent that takes nothing, which code in the sandbox can stop

Errc errcOf(const std::string& kind)
{
    static const std::map<std::string, Errc, std::less<>> known = {
        { "not_found", Errc::NotFound },
        { "already_exists", Errc::Exists },
        { "invalid_argument", Errc::InvalidArgument },
        { "permission_denied", Errc::PermissionDenied },
        { "failed_precondition", Errc::Conflict },
        { "no_space", Errc::NoSpace },
        { "unimplemented", Errc::Unsupported }
    };
    const auto found = known.find(kind);
    return found == known.end() ? Errc::Io : found->second;
}

int optionOf(const Fd& passed, int name)
{
    int value = -1;
    socklen_t size = sizeof value;
    return ::getsockopt(passed.get(), SOL_SOCKET, name, &value, &size) == 0 ? value : -1;
}

// The code may have passed anything.
bool isConnection(const Fd& passed)
{
    sockaddr_storage peer{};
    socklen_t size = sizeof peer;
    const int domain = optionOf(passed, SO_DOMAIN);
    return (domain == AF_INET || domain == AF_INET6) && optionOf(passed, SO_PROTOCOL) == IPPROTO_TCP
        && ::getpeername(passed.get(), reinterpret_cast<sockaddr*>(&peer), &size) == 0;
}

} // namespace

AgentLink::Call::~Call()
{
    if (m_link == nullptr)
        return;
    {
        const std::lock_guard lock(m_link->m_mutex);
        m_link->m_inboxes.erase(m_id);
    }
    (void)m_link->send({ { "op", "let_go" }, { "id", m_id } });
}

Result<Value> AgentLink::Call::next(const std::stop_token& stop, SteadyTime deadline)
{
    std::unique_lock lock(m_link->m_mutex);
    Inbox& inbox = m_link->m_inboxes[m_id];
    const auto isDue = [&] { return !inbox.said.empty() || m_link->m_failure; };
    if (deadline == SteadyTime::max())
        m_link->m_changed.wait(lock, stop, isDue);
    else
        m_link->m_changed.wait_until(lock, stop, deadline, isDue);
    if (inbox.said.empty()) {
        if (m_link->m_failure)
            return *m_link->m_failure;
        if (stop.stop_requested())
            return Error{ Errc::Cancelled, "nobody waits for the answer any more" };
        return Error{ Errc::Timeout, "the sandbox did not answer in time" };
    }
    Value said = std::move(inbox.said.front());
    inbox.said.pop_front();
    const std::size_t bytes = said["data"].isBytes() ? said["data"].asBytes().size() : 0;
    inbox.bytes -= bytes + kFrameCost;
    lock.unlock();
    if (bytes > 0)
        (void)m_link->send(
            { { "op", "taken" }, { "id", m_id }, { "bytes", static_cast<std::int64_t>(bytes) } });
    if (said.stringOr("ev", "") == "problem")
        return Error{ errcOf(said.stringOr("kind", "")), said.stringOr("message", "") };
    return said;
}

Result<Value> AgentLink::Call::nextSoon(const std::stop_token& stop)
{
    auto said = next(stop, steady_clock::now() + kPatience);
    if (said || said.error().code != Errc::Timeout)
        return said;
    if (m_link->isAnswering())
        return next(stop, steady_clock::now() + 4 * kPatience);
    m_link->fail("the sandbox's agent does not answer; its commands may have stopped it");
    return Error{ Errc::Unavailable, "the sandbox's agent did not answer; the next request gets a new one" };
}

Fd AgentLink::Call::takePassed()
{
    const std::lock_guard lock(m_link->m_mutex);
    return std::move(m_link->m_inboxes[m_id].passed);
}

Result<void> AgentLink::Call::send(ValueMap more) const
{
    more.set("id", m_id);
    return m_link->send(more);
}

AgentLink::AgentLink(Fd socket)
    : m_socket(std::move(socket))
    , m_reader([this](const std::stop_token& stop) { readAll(stop); })
{
}

AgentLink::~AgentLink()
{
    ::shutdown(m_socket.get(), SHUT_RDWR);
}

Result<std::shared_ptr<AgentLink>> AgentLink::open(sessions::Session& session, const Value& environment)
{
    const auto runner = session.link();
    if (!runner)
        return Error{ Errc::Unavailable, "the sandbox has ended" };
    auto handed = runner->handSocket("agent", "commands and files");
    if (!handed)
        return std::move(handed.error());
    (void)::setsockopt(handed->socket.get(), SOL_SOCKET, SO_SNDTIMEO, &kSendTime, sizeof kSendTime);
    std::shared_ptr<AgentLink> link(new AgentLink(std::move(handed->socket)));
    auto hello = link->ask({ { "op", "hello" }, { "envs", environment } });
    if (!hello)
        return std::move(hello.error());
    return link;
}

bool AgentLink::isOver()
{
    const std::lock_guard lock(m_mutex);
    return m_failure.has_value();
}

Result<AgentLink::Call> AgentLink::begin(ValueMap request)
{
    std::int64_t id = 0;
    {
        const std::lock_guard lock(m_mutex);
        if (m_failure)
            return *m_failure;
        id = ++m_lastId;
        m_inboxes[id] = {};
    }
    Call call(*this, id);
    if (auto sent = call.send(std::move(request)); !sent)
        return std::move(sent.error());
    return call;
}

Result<Value> AgentLink::ask(ValueMap request, const std::stop_token& stop)
{
    auto call = begin(std::move(request));
    if (!call)
        return std::move(call.error());
    return call->nextSoon(stop);
}

Result<Fd> AgentLink::connect(std::int64_t port, const std::stop_token& stop)
{
    auto call = begin({ { "op", "port" }, { "port", port } });
    if (!call)
        return std::move(call.error());
    if (auto said = call->nextSoon(stop); !said)
        return std::move(said.error());
    Fd passed = call->takePassed();
    if (!isConnection(passed))
        return Error{ Errc::Corrupt, "the sandbox's agent does not keep to its protocol" };
    return passed;
}

bool AgentLink::isAnswering()
{
    auto call = begin({ { "op", "list" } });
    return call && call->next({}, steady_clock::now() + kPatience / 3);
}

Result<void> AgentLink::send(const ValueMap& message)
{
    const std::string body = encodeMsgpack(Value(message));
    std::string frame;
    for (const int shift : { 24, 16, 8, 0 })
        frame += static_cast<char>((body.size() >> shift) & 0xff);
    frame += body;
    const std::lock_guard lock(m_sending);
    std::string_view rest = frame;
    while (!rest.empty()) {
        const ssize_t sent = ::send(m_socket.get(), rest.data(), rest.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0) { // a frame that went in part leaves nothing to go on with
            fail(errno == EAGAIN ? "the sandbox's agent takes nothing more; its commands may have stopped it"
                                 : "the sandbox has ended");
            return Error{ Errc::Unavailable, "the sandbox has ended, or takes nothing more" };
        }
        rest.remove_prefix(static_cast<std::size_t>(sent));
    }
    return {};
}

// Descriptors come with a frame's first byte, and a read ends before the next one.
ssize_t AgentLink::receive(std::vector<char>& buffer, std::deque<Fd>& passed) const
{
    iovec part{ buffer.data(), buffer.size() };
    alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * kMostPassed)> control{};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    const ssize_t got = ::recvmsg(m_socket.get(), &message, MSG_CMSG_CLOEXEC);
    if (got < 0)
        return got;
    for (cmsghdr* each = CMSG_FIRSTHDR(&message); each != nullptr; each = CMSG_NXTHDR(&message, each)) {
        if (each->cmsg_level != SOL_SOCKET || each->cmsg_type != SCM_RIGHTS)
            continue;
        for (std::size_t at = 0; CMSG_LEN(at + sizeof(int)) <= each->cmsg_len; at += sizeof(int)) {
            int descriptor = -1;
            std::memcpy(&descriptor, CMSG_DATA(each) + at, sizeof descriptor);
            passed.emplace_back(descriptor);
        }
    }
    return got;
}

void AgentLink::readAll(const std::stop_token& stop)
{
    std::string held;
    std::vector<char> buffer(1U << 18);
    std::deque<Fd> passed;
    while (!stop.stop_requested()) {
        const ssize_t got = receive(buffer, passed);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return fail("the sandbox has ended, or its commands have ended the agent that runs them");
        if (passed.size() > kMostPassed)
            return fail("the sandbox's agent does not keep to its protocol");
        held.append(buffer.data(), static_cast<std::size_t>(got));
        std::size_t at = 0;
        while (held.size() - at >= 4) {
            std::size_t size = 0;
            for (int i = 0; i < 4; ++i)
                size = size << 8 | static_cast<unsigned char>(held[at + static_cast<std::size_t>(i)]);
            if (size > kMostFrame)
                return fail("the sandbox's agent does not keep to its protocol");
            if (held.size() - at - 4 < size)
                break;
            if (!take(std::string_view(held).substr(at + 4, size), passed))
                return fail("the sandbox's agent does not keep to its protocol");
            at += 4 + size;
        }
        held.erase(0, at);
    }
}

bool AgentLink::take(std::string_view frame, std::deque<Fd>& passed)
{
    auto said = decodeMsgpack(frame, { kMostFrame, 32, 1U << 20 });
    if (!said || !(*said)["ev"].isString())
        return false;
    Fd socket;
    if (const std::string ev = said->stringOr("ev", ""); ev == "connected" || ev == "ready" || ev == "size") {
        if (passed.empty())
            return false;
        socket = std::move(passed.front());
        passed.pop_front();
    }
    const std::lock_guard lock(m_mutex);
    const auto inbox = m_inboxes.find(said->intOr("id", 0));
    if (inbox == m_inboxes.end())
        return true; // nobody waits any more
    inbox->second.bytes +=
        kFrameCost + ((*said)["data"].isBytes() ? (*said)["data"].asBytes().size() : std::size_t{ 0 });
    inbox->second.said.push_back(std::move(*said));
    inbox->second.passed = std::move(socket);
    m_changed.notify_all();
    return inbox->second.bytes <= kMostAhead;
}

void AgentLink::fail(const char* why)
{
    const std::lock_guard lock(m_mutex);
    if (!m_failure)
        m_failure = Error{ Errc::Unavailable, why };
    m_changed.notify_all();
    ::shutdown(m_socket.get(), SHUT_RDWR);
}

Result<AgentStream> AgentStream::of(Fd passed)
{
    if (optionOf(passed, SO_DOMAIN) != AF_UNIX || optionOf(passed, SO_TYPE) != SOCK_STREAM)
        return Error{ Errc::Corrupt, "the sandbox's agent does not keep to its protocol" };
    return AgentStream(std::move(passed));
}

Result<void> AgentStream::wait(short events, const std::stop_token& stop)
{
    for (const auto end = steady_clock::now() + kTransferPatience; steady_clock::now() < end;) {
        if (stop.stop_requested())
            return Error{ Errc::Cancelled, "nobody waits for the file any more" };
        pollfd waiting{ m_socket.get(), events, 0 };
        if (::poll(&waiting, 1, kLookMs) > 0)
            return {};
    }
    return Error{ Errc::Unavailable, "the sandbox's agent has stopped; its commands may have done that" };
}

Result<void> AgentStream::write(std::string_view bytes, const std::stop_token& stop)
{
    while (!bytes.empty()) {
        const ssize_t sent = ::send(m_socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent >= 0) {
            bytes.remove_prefix(static_cast<std::size_t>(sent));
            continue;
        }
        if (errno == EINTR)
            continue;
        if (errno != EAGAIN && errno != EWOULDBLOCK)
            return Error{ Errc::Unavailable, "the sandbox takes no more of the file" };
        if (auto ready = wait(POLLOUT, stop); !ready)
            return ready;
    }
    return {};
}

Result<std::size_t> AgentStream::read(char* buffer, std::size_t size, const std::stop_token& stop)
{
    while (true) {
        const ssize_t got = ::recv(m_socket.get(), buffer, size, MSG_DONTWAIT);
        if (got >= 0)
            return static_cast<std::size_t>(got);
        if (errno == EINTR)
            continue;
        if (errno != EAGAIN && errno != EWOULDBLOCK)
            return Error{ Errc::Unavailable, "the sandbox gives no more of the file" };
        if (auto ready = wait(POLLIN, stop); !ready)
            return std::move(ready.error());
    }
}

void AgentStream::endWriting()
{
    ::shutdown(m_socket.get(), SHUT_WR);
}

} // namespace sg::servers::e2b
