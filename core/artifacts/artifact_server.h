#pragma once

#include "core/artifacts/artifact_store.h"
#include "core/base/clock.h"
#include "core/net/http_answer.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace sg::artifacts {

struct ArtifactServerOptions {
    std::string key; // the key of the tokens
    // Host headers that are accepted besides those of this machine's loopback: "artifacts.example.com"
    std::vector<std::string> hosts;
    std::uint16_t port = 0; // the port in its address, for the Host check
    std::function<std::string()> metrics; // text appended to /metrics, in Prometheus' format; may be empty
};

// The answers of an artifact server, whatever transports them: GET and HEAD of
//   /artifacts/ID?token=TOKEN        the content; 401 invalid or old token, 403 another artifact's token,
//                                    404 no such artifact, 410 its content is gone, 422 no token
//   /artifacts/ID/head?token=TOKEN   its description as JSON
//   /healthz, /metrics
// Any thread.
class ArtifactServer {
public:
    ArtifactServer(ArtifactStore& store, const Clock& clock, ArtifactServerOptions options);

    net::HttpAnswer answer(const net::HttpHead& request);
    // Called once the port is known.
    void setPort(std::uint16_t port) { m_port = port; }

private:
    // A stored file prepared for sending.
    struct Served {
        int failure = 0; // an HTTP status; then there is no content
        std::string why;
        std::string headers;
        std::string etag;
        std::uint64_t size = 0;
        std::shared_ptr<const std::string> content; // of a small file, verified
        std::shared_ptr<const Fd> file;
        std::string description; // JSON
        SteadyTime read;
    };
    using ServedPtr = std::shared_ptr<const Served>;

    net::HttpAnswer artifact(const net::HttpHead& request, std::string_view path, std::string_view query);
    net::HttpAnswer content(const net::HttpHead& request, const Served& served) const;
    net::HttpAnswer metrics();
    ServedPtr served(const ArtifactId& id);
    [[nodiscard]] Served read(const ArtifactId& id) const;

    // constant after construction
    ArtifactStore& m_store;
    const Clock& m_clock;
    const ArtifactServerOptions m_options;
    std::atomic<std::uint16_t> m_port;
    std::array<std::atomic<std::int64_t>, 6> m_answers{}; // by hundreds of their status
    std::atomic<std::int64_t> m_bytes = 0;

    std::mutex m_mutex;
    // Guarded by m_mutex; the list is in order of use, the newest first:
    std::list<std::pair<std::string, ServedPtr>> m_recent;
    std::unordered_map<std::string, std::list<std::pair<std::string, ServedPtr>>::iterator> m_byId;
    std::uint64_t m_held = 0; // bytes of the contents
};

// Returns the headers for a content of that type. Types that may run in a browser are always downloads.
std::string contentHeaders(const std::string& mime, const std::string& name);

} // namespace sg::artifacts
