#include "core/workers/redis.h"

#include "core/base/hash.h"
#include "core/base/sigpipe_guard.h"

#include <hiredis/hiredis.h>

#include <sys/time.h>

#include <array>
#include <charconv>
#include <cstdio>

namespace sg::workers {
namespace {

constexpr std::chrono::seconds kConnectTime{ 5 };
constexpr std::array<int, 2> kOldest{ 6, 2 }; // XAUTOCLAIM

struct FreeReply {
    void operator()(redisReply* reply) const { freeReplyObject(reply); }
};
using ReplyPtr = std::unique_ptr<redisReply, FreeReply>;

timeval timeOf(std::chrono::milliseconds time)
{
    return { static_cast<time_t>(time.count() / 1000), static_cast<suseconds_t>(time.count() % 1000 * 1000) };
}

RedisReply taken(const redisReply& from)
{
    RedisReply reply;
    switch (from.type) {
    case REDIS_REPLY_INTEGER:
        reply.kind = RedisReply::Kind::Integer;
        reply.integer = from.integer;
        break;
    case REDIS_REPLY_STRING:
    case REDIS_REPLY_STATUS:
        reply.kind = RedisReply::Kind::Text;
        reply.text.assign(from.str, from.len);
        break;
    case REDIS_REPLY_ERROR:
        reply.kind = RedisReply::Kind::Error;
        reply.text.assign(from.str, from.len);
        break;
    case REDIS_REPLY_ARRAY:
        reply.kind = RedisReply::Kind::List;
        reply.list.reserve(from.elements);
        for (std::size_t i = 0; i < from.elements; ++i)
            reply.list.push_back(taken(*from.element[i]));
        break;
    default: break;
    }
    return reply;
}

bool isMissingScript(const RedisReply& reply)
{
    return reply.kind == RedisReply::Kind::Error && reply.text.starts_with("NOSCRIPT");
}

Error meaningOf(const RedisReply& reply, const QueueAddress& address)
{
    if (reply.text.starts_with("NOPERM") || reply.text.starts_with("WRONGPASS")
        || reply.text.starts_with("NOAUTH"))
        return { Errc::PermissionDenied,
                 "Redis at " + address.shown() + " refuses: " + reply.text
                     + ". Name a user with its password in the address; sandglass pool acl ROLE makes one" };
    if (reply.text.starts_with("OOM"))
        return { Errc::NoSpace,
                 "Redis at " + address.shown() + " is full (" + reply.text
                     + "). Give it more memory, or let workers catch up; nothing was lost" };
    return { reply.text.starts_with("LOADING") || reply.text.starts_with("READONLY") ? Errc::Unavailable
                                                                                     : Errc::InvalidArgument,
             "Redis at " + address.shown() + ": " + reply.text };
}

// The value of "name:value" in what INFO says.
std::string infoField(const std::string& info, const std::string& name)
{
    const std::size_t at = info.find("\n" + name + ":");
    if (at == std::string::npos)
        return {};
    const std::size_t begin = at + name.size() + 2;
    return info.substr(begin, info.find_first_of("\r\n", begin) - begin);
}

Result<void> checkVersion(const std::string& version, const QueueAddress& address)
{
    std::array<int, 2> found{};
    if (std::sscanf(version.c_str(), "%d.%d", &found[0], &found[1]) != 2) // NOLINT(cert-err34-c): checked
        return Error{ Errc::Unsupported, address.shown() + " tells no version of Redis" };
    if (found < kOldest)
        return Error{ Errc::Unsupported,
                      "Redis at " + address.shown() + " is version " + version
                          + "; queues need 6.2 or later (Debian 12 has 7.0), or Valkey" };
    return {};
}

} // namespace

std::int64_t RedisReply::number() const
{
    if (kind == Kind::Integer)
        return integer;
    std::int64_t found = 0;
    if (kind == Kind::Text)
        std::from_chars(text.data(), text.data() + text.size(), found);
    return found;
}

const RedisReply& RedisReply::operator[](std::size_t index) const
{
    static const RedisReply nil;
    return index < list.size() ? list[index] : nil;
}

RedisScript redisScript(std::string_view text)
{
    return { text, toHex(sha1Bytes(text)) };
}

struct Redis::State {
    struct FreeContext {
        void operator()(redisContext* context) const { redisFree(context); }
    };
    QueueAddress address;
    std::chrono::milliseconds patience;
    std::unique_ptr<redisContext, FreeContext> context;

    Error lost(const std::string& doing)
    {
        const std::string why = context && context->errstr[0] != '\0' ? context->errstr : "it ended";
        context.reset();
        return { Errc::Unavailable, "Redis at " + address.shown() + ": " + doing + ": " + why };
    }

    Error unreached()
    {
        Error error = lost("connect");
        error.message += ". Start it, or correct --queue or SANDGLASS_QUEUE";
        return error;
    }

    Result<void> open()
    {
        if (context)
            return {};
        context.reset(
            address.host.empty()
                ? redisConnectUnixWithTimeout(address.socket.c_str(), timeOf(kConnectTime))
                : redisConnectWithTimeout(address.host.c_str(), address.port, timeOf(kConnectTime)));
        if (!context || context->err != 0)
            return unreached();
        redisSetTimeout(context.get(), timeOf(patience));
        if (!address.host.empty())
            redisEnableKeepAlive(context.get());
        return greet();
    }

    Result<void> greet()
    {
        std::vector<Words> greetings;
        if (!address.password.empty()) {
            Words auth{ "AUTH" };
            if (!address.user.empty())
                auth.emplace_back(address.user);
            auth.emplace_back(address.password);
            greetings.push_back(std::move(auth));
        }
        const std::string database = std::to_string(address.database);
        if (address.database != 0)
            greetings.push_back({ "SELECT", database });
        for (const Words& each : greetings) {
            send(each);
            flush();
            auto reply = receive();
            if (!reply)
                return std::move(reply.error());
            if (reply->kind == RedisReply::Kind::Error) {
                context.reset();
                return meaningOf(*reply, address);
            }
        }
        return {};
    }

    void send(const Words& words) const
    {
        std::vector<const char*> texts;
        std::vector<std::size_t> sizes;
        for (const std::string_view word : words) {
            texts.push_back(word.data() == nullptr ? "" : word.data());
            sizes.push_back(word.size());
        }
        redisAppendCommandArgv(context.get(), static_cast<int>(words.size()), texts.data(), sizes.data());
    }

    // Writes all that send() has appended, perhaps to a server that has ended.
    void flush() const
    {
        const SigpipeGuard guard;
        for (int isDone = 0; isDone == 0;)
            if (redisBufferWrite(context.get(), &isDone) != REDIS_OK)
                return; // receive() tells it
    }

    Result<RedisReply> receive() // after flush()
    {
        void* raw = nullptr;
        if (context->err != 0 || redisGetReply(context.get(), &raw) != REDIS_OK || raw == nullptr)
            return lost("the connection was lost");
        const ReplyPtr reply(static_cast<redisReply*>(raw));
        return taken(*reply);
    }
};

Redis::Redis(QueueAddress address, std::chrono::milliseconds patience)
    : m_state(new State{ std::move(address), patience, nullptr })
{
}

Redis::~Redis() = default;

const QueueAddress& Redis::address() const
{
    return m_state->address;
}

Error Redis::errorOf(const RedisReply& reply) const
{
    return meaningOf(reply, address());
}

Result<void> Redis::connect()
{
    const auto info = call({ "INFO" });
    if (!info)
        return info.error();
    const std::string text = "\n" + info->text;
    if (auto fits = checkVersion(infoField(text, "redis_version"), address()); !fits)
        return fits;
    const std::string policy = infoField(text, "maxmemory_policy");
    if (!policy.empty() && policy != "noeviction")
        return Error{
            Errc::Unsupported,
            "Redis at " + address().shown()
                + " throws keys away when its memory is full (maxmemory-policy is " + policy
                + "), and tasks with them. Set it to noeviction: redis-cli CONFIG SET maxmemory-policy "
                  "noeviction, and the same in its redis.conf"
        };
    return {};
}

Result<RedisReply> Redis::call(const Words& words)
{
    if (auto open = m_state->open(); !open)
        return std::move(open.error());
    m_state->send(words);
    m_state->flush();
    auto reply = m_state->receive();
    if (reply && reply->kind == RedisReply::Kind::Error)
        return errorOf(*reply);
    return reply;
}

Result<RedisReply> Redis::call(const Words& words, std::chrono::milliseconds wait)
{
    if (auto open = m_state->open(); !open)
        return std::move(open.error());
    redisSetTimeout(m_state->context.get(), timeOf(m_state->patience + wait));
    auto reply = call(words);
    if (m_state->context)
        redisSetTimeout(m_state->context.get(), timeOf(m_state->patience));
    return reply;
}

Result<std::vector<RedisReply>> Redis::callAll(const std::vector<Words>& commands)
{
    if (auto open = m_state->open(); !open)
        return std::move(open.error());
    for (const Words& each : commands)
        m_state->send(each);
    m_state->flush();
    std::vector<RedisReply> replies;
    replies.reserve(commands.size());
    for (std::size_t i = 0; i < commands.size(); ++i) {
        auto reply = m_state->receive();
        if (!reply)
            return std::move(reply.error());
        replies.push_back(std::move(*reply));
    }
    return replies;
}

Result<std::vector<RedisReply>> Redis::runAll(const RedisScript& script, std::string_view key,
                                              const std::vector<Words>& arguments)
{
    std::vector<Words> commands;
    for (const Words& each : arguments) {
        Words words{ "EVALSHA", script.sha, "1", key };
        words.insert(words.end(), each.begin(), each.end());
        commands.push_back(std::move(words));
    }
    for (int attempt = 0;; ++attempt) {
        auto replies = callAll(commands);
        if (!replies || replies->empty() || !isMissingScript(replies->front()) || attempt > 0)
            return replies;
        if (auto loaded = call({ "SCRIPT", "LOAD", script.text }); !loaded)
            return std::move(loaded.error());
        // A server that lacks it has run none of them.
    }
}

Result<RedisReply> Redis::run(const RedisScript& script, std::string_view key, const Words& arguments)
{
    auto replies = runAll(script, key, { arguments });
    if (!replies)
        return std::move(replies.error());
    if (replies->front().kind == RedisReply::Kind::Error)
        return errorOf(replies->front());
    return std::move(replies->front());
}

} // namespace sg::workers
