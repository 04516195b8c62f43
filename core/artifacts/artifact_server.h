#pragma once

#include "core/artifacts/artifact_store.h"
#include "core/base/clock.h"
#include "core/net/http_server.h"

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
    std::string key; // of tokens
    // Host headers that are answered beside those of this machine's loopback: "artifacts.example.com"
    std::vector<std::string> hosts;
    std::uint16_t port = 0; // that it is reached by, for the Host check
    std::function<std::string()> metrics; // more of /metrics, in Prometheus' text format; may be empty
};

// What an artifact server answers, whatever carries it: GET and HEAD of
//   /artifacts/ID?token=TOKEN        the content; 401 a token that is none or too old, 403 of another
//   artifact,
//                                    404 no such artifact, 410 its content is gone, 422 no token
//   /artifacts/ID/head?token=TOKEN   what is known of it, as JSON
//   /healthz, /metrics
// Any thread.
class ArtifactServer {
public:
    ArtifactServer(ArtifactStore& store, const Clock& clock, ArtifactServerOptions options);

    net::HttpAnswer answer(const net::HttpHead& request);
    // Once it is known.
    void setPort(std::uint16_t port) { m_port = port; }

private:
    // A stored file made ready to be sent.
    struct Served {
        int failure = 0; // a status, and no content
        std::string why;
        std::string headers;
        std::string etag;
        std::uint64_t size = 0;
        std::shared_ptr<const std::string> content; // a small one, verified
        std::shared_ptr<const Fd> file;
        std::string description; // JSON
        SteadyTime read;
    };
    using ServedPtr = std::shared_ptr<const Served>;

    net::HttpAnswer artifact(const net::HttpHead& request, std::string_view path, std::string_view query);
    net::HttpAnswer content(const net::HttpHead& request, const Served& served) const;
    net::HttpAnswer metrics();
    [[nodiscard]] bool isOwnHost(std::string_view host) const;
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
    std::uint64_t m_held = 0; // bytes of contents
};

// How a content of that type is sent. Types that a browser would run or that may hold code are only ever
// downloads.
std::string contentHeaders(const std::string& mime, const std::string& name);

} // namespace sg::artifacts
