#pragma once

#include "core/base/value.h"
#include "core/net/http_client.h"
#include "core/sandbox/docker/engine_endpoint.h"

#include <chrono>
#include <initializer_list>
#include <string>

namespace sg::sandbox {

// A connection that has left HTTP: the socket, and bytes that came with the answer's head.
struct EngineStream {
    Fd socket;
    std::string early;
};

struct EngineVersion {
    std::string name; // "Docker 20.10.24", "Podman 4.3.1"
    std::string api; // "1.41": what both sides speak
    bool podman = false;
    std::string runtime{}; // the engine's, not necessarily this machine's
};

// The Docker Engine API of one engine. Any thread.
class EngineApi {
public:
    // Negotiates the API version. Errc::Unavailable, Errc::PermissionDenied.
    static Result<std::unique_ptr<EngineApi>> connect(const EngineEndpoint& wanted);
    EngineApi(EngineEndpoint endpoint, EngineVersion version)
        : m_endpoint(std::move(endpoint))
        , m_version(std::move(version))
    {
    }

    struct Answer {
        int status = 0;
        Value body; // null where it is empty or no JSON
    };
    // A status from 400 on is an error with the engine's own message: 404 Errc::NotFound, 409 Errc::Conflict.
    Result<Answer> call(const std::string& method, const std::string& path, const Value& body = {},
                        std::chrono::milliseconds timeout = std::chrono::seconds(30));
    // Attaches to a container: raw bytes both ways.
    [[nodiscard]] Result<EngineStream> upgrade(const std::string& path) const;
    // Follows an endless answer: JSON objects, one a line.
    [[nodiscard]] Result<EngineStream> follow(const std::string& path) const;

    [[nodiscard]] const EngineEndpoint& endpoint() const { return m_endpoint; }
    [[nodiscard]] const EngineVersion& version() const { return m_version; }

private:
    [[nodiscard]] Result<EngineStream> open(const std::string& head, int expected) const;

    const EngineEndpoint m_endpoint;
    const EngineVersion m_version;
    net::HttpClient m_http;
};

// filters={"label":["a=b"]}, encoded for a query.
std::string engineFilters(std::initializer_list<std::pair<std::string, std::string>> filters);

} // namespace sg::sandbox
