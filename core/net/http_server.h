#pragma once

#include "core/base/result.h"
#include "core/net/http_answer.h"
#include "core/net/http_exchange.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace sg::net {

struct HttpServerOptions {
    std::string address = "127.0.0.1"; // of an interface of this machine
    std::uint16_t port = 0; // 0: a free one
    int threads = 2;
    // The approximate maximum at once. A new connection then replaces the one that has been idle longest, or
    // that takes its answer too slowly.
    int connections = 512;
    int streams = 64; // exchanges at once, each on a thread; further ones are refused with 503
    std::chrono::seconds headTime{ 10 }; // time for a whole head to arrive, and for the start of TLS
    std::chrono::seconds idleTime{ 60 }; // between requests
    std::chrono::seconds stallTime{ 60 }; // time for which a body or an answer may not progress
    // The time for a whole answer of a quick handler, plus a second for each slowestBytes of it.
    std::chrono::seconds answerTime{ 60 };
    std::uint64_t slowestBytes = 10'000;
    // PEM files; with both the server speaks TLS, 1.2 or later.
    std::filesystem::path certificate{};
    std::filesystem::path key{};
};

// Answers HTTP/1.1 and keeps connections.
class HttpServer {
public:
    // Called on one of the server's threads; it must not block for long.
    using Handler = std::function<HttpAnswer(const HttpHead&)>;
    struct Service {
        // As Handler; nullopt: `exchange` answers. May be empty.
        std::function<std::optional<HttpAnswer>(const HttpHead&)> quick;
        // May wait. It ends soon once HttpExchange::gone() is requested; what it leaves without an answer
        // gets 500. Empty: there is none, and requests with bodies are refused.
        std::function<void(HttpExchange&)> exchange;
    };
    // Errc::Exists: the port is taken.
    static Result<std::unique_ptr<HttpServer>> start(const HttpServerOptions& options, Service service);
    static Result<std::unique_ptr<HttpServer>> start(const HttpServerOptions& options, Handler handler);
    virtual ~HttpServer() = default; // ends all connections, and waits for their handlers
    [[nodiscard]] virtual std::uint16_t port() const = 0;
};

} // namespace sg::net
