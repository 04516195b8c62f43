#pragma once

#include "core/base/child_process.h"
#include "core/base/result.h"
#include "core/net/http_head.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace sg::net {

struct HttpAnswer {
    int status = 200;
    std::string headers; // lines "Name: value\r
                         // ", without Content-Length and Connection
    std::shared_ptr<const std::string> body; // or a part of a file
    std::shared_ptr<const Fd> file;
    std::uint64_t offset = 0;
    std::uint64_t length = 0; // bytes to send of `file`
};
HttpAnswer textAnswer(int status, std::string text, std::string headers = {});

struct HttpServerOptions {
    std::string address = "127.0.0.1"; // of an interface of this machine
    std::uint16_t port = 0; // 0: a free one
    int threads = 2;
    // The approximate maximum at once. A new connection then replaces the one that has been idle longest, or
    // that takes its answer too slowly.
    int connections = 512;
    std::chrono::seconds headTime{ 10 }; // time for a whole request to arrive
    std::chrono::seconds idleTime{ 60 }; // between requests
    std::chrono::seconds stallTime{ 60 }; // time for which an answer may not progress
    // The time for a whole answer, plus a second for each slowestBytes of it.
    std::chrono::seconds answerTime{ 60 };
    std::uint64_t slowestBytes = 10'000;
};

// Answers GET and HEAD over HTTP/1.1 and keeps connections. A request with a body is refused and its
// connection closed, so that no two programs can differ about where it ends.
class HttpServer {
public:
    // Called on one of the server's threads; it must not block for long.
    using Handler = std::function<HttpAnswer(const HttpHead&)>;
    // Errc::Exists: the port is taken.
    static Result<std::unique_ptr<HttpServer>> start(const HttpServerOptions& options, Handler handler);
    virtual ~HttpServer() = default; // ends all connections
    [[nodiscard]] virtual std::uint16_t port() const = 0;
};

} // namespace sg::net
