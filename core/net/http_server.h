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
    std::string headers; // "Name: value\r\n" each; without Content-Length and Connection
    std::shared_ptr<const std::string> body; // or a part of a file
    std::shared_ptr<const Fd> file;
    std::uint64_t offset = 0;
    std::uint64_t length = 0; // of what is sent of `file`
};
HttpAnswer textAnswer(int status, std::string text, std::string headers = {});

struct HttpServerOptions {
    std::string address = "127.0.0.1"; // of one interface of this machine
    std::uint16_t port = 0; // 0: a free one
    int threads = 2;
    // At once, about. Where another comes, the one that has asked for nothing for longest is closed, or that
    // takes its answer too slowly.
    int connections = 512;
    std::chrono::seconds headTime{ 10 }; // for a request to arrive whole
    std::chrono::seconds idleTime{ 60 }; // between requests
    std::chrono::seconds stallTime{ 60 }; // an answer that nobody takes
    // For a whole answer, and a second more for each so many bytes of it.
    std::chrono::seconds answerTime{ 60 };
    std::uint64_t slowestBytes = 10'000;
};

// Answers GET and HEAD over HTTP/1.1 with kept connections, and nothing that has a body: such a request is
// refused and its connection closed, so that no two readers can differ about where it ends.
class HttpServer {
public:
    // On one of the server's threads; must not block for long.
    using Handler = std::function<HttpAnswer(const HttpHead&)>;
    // Errc::Exists: the port is taken.
    static Result<std::unique_ptr<HttpServer>> start(const HttpServerOptions& options, Handler handler);
    virtual ~HttpServer() = default; // ends all connections
    [[nodiscard]] virtual std::uint16_t port() const = 0;
};

} // namespace sg::net
