#pragma once

#include "core/base/result.h"
#include "core/workers/queue_address.h"

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sg::workers {

// This is an answer of Redis.
struct RedisReply {
    enum class Kind { Nil, Integer, Text, List, Error };
    Kind kind = Kind::Nil;
    std::int64_t integer = 0;
    std::string text; // of a Text or an Error
    std::vector<RedisReply> list;

    [[nodiscard]] bool isNil() const { return kind == Kind::Nil; }
    [[nodiscard]] std::int64_t number() const; // of an Integer, or of a Text that is one; else 0
    // The element of a list, or a nil.
    [[nodiscard]] const RedisReply& operator[](std::size_t index) const;
};

struct RedisScript {
    std::string_view text; // Lua; constant
    std::string sha; // its SHA-1 in hex
};
RedisScript redisScript(std::string_view text);

// One connection to a Redis server. It connects when it is first used, and again after it was lost. One
// thread at a time.
class Redis {
public:
    explicit Redis(QueueAddress address, std::chrono::milliseconds patience = std::chrono::seconds(10));
    ~Redis();
    Redis(const Redis&) = delete;
    Redis& operator=(const Redis&) = delete;

    // Connects, and checks that the server is recent enough and evicts nothing. Errc::Unavailable: there is
    // none; Unsupported: it cannot hold queues.
    Result<void> connect();
    [[nodiscard]] const QueueAddress& address() const;

    using Words = std::vector<std::string_view>;
    // Errc::Unavailable: the connection was lost, and the command was done or not; the next call connects
    // again. An error that Redis tells is Errc::InvalidArgument; PermissionDenied: the user may not.
    Result<RedisReply> call(const Words& words);
    // Does the same, and waits for `wait` longer, as the command itself blocks for so long.
    Result<RedisReply> call(const Words& words, std::chrono::milliseconds wait);
    // Runs a script, and loads it where the server does not have it.
    Result<RedisReply> run(const RedisScript& script, std::string_view key, const Words& arguments);
    // Runs it once for each list of arguments, all sent at once. Replies may be errors.
    Result<std::vector<RedisReply>> runAll(const RedisScript& script, std::string_view key,
                                           const std::vector<Words>& arguments);
    // Tells what an error among the replies means, and what to do about it.
    [[nodiscard]] Error errorOf(const RedisReply& reply) const;
    // Sends all at once. Replies may be errors.
    Result<std::vector<RedisReply>> callAll(const std::vector<Words>& commands);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace sg::workers
