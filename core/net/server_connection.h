#pragma once

#include "core/base/child_process.h"
#include "core/base/clock.h"
#include "core/base/thread_pool.h"
#include "core/net/http_server.h"

#include <atomic>
#include <functional>
#include <memory>

namespace boost::asio {
class io_context;
}

namespace sg::net {

class TlsKeys;

// One connection of an HttpServer. It belongs to the thread of its loop.
class ServerConnection {
public:
    // All connections of one loop share this; it outlives them.
    struct World {
        boost::asio::io_context& loop;
        const HttpServerOptions& options;
        const HttpServer::Service& service;
        const TlsKeys* keys; // null: no TLS
        ThreadPool& threads; // for exchanges
        std::atomic<int>& streams; // exchanges of all loops
        std::function<void(const ServerConnection&)> closed;
    };
    static std::shared_ptr<ServerConnection> open(Fd socket, const World& world);
    virtual ~ServerConnection() = default;

    virtual void start() = 0;
    virtual void close(Error why) = 0;
    [[nodiscard]] virtual SteadyTime deadline() const = 0;
    // Returns from when on it is useless: no request is under way, or its answer is taken too slowly.
    [[nodiscard]] virtual SteadyTime uselessFrom() const = 0;
    [[nodiscard]] virtual bool isAnswering() const = 0;
};

} // namespace sg::net
