#pragma once

#include "core/artifacts/artifact_store.h"
#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/projects/project.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace sg::servers {

struct ServeOptions {
    std::string address = "127.0.0.1";
    std::uint16_t port = 8000; // 0: a free one
    std::vector<std::string> hosts; // further Host headers to accept, for use behind a proxy
    int threads = 2;
    // PEM files; with both it speaks TLS.
    std::string certificate{};
    std::string key{};
};

// Serves a project's artifacts and figures for Prometheus over HTTP until it is destroyed. Any thread.
class ArtifactService {
public:
    static Result<std::unique_ptr<ArtifactService>> start(const projects::ProjectPaths& project,
                                                          const ServeOptions& options);
    virtual ~ArtifactService() = default;
    [[nodiscard]] virtual std::uint16_t port() const = 0;
};

// Returns "http://127.0.0.1:8000/artifacts/art_…?token=…", valid for `time` (15 minutes at most). `base` has
// no slash at its end; empty: ARTIFACTS_PUBLIC_BASE_URL, else localhost with ARTIFACTS_SERVER_PORT or 8000.
Result<std::string> artifactAddress(const projects::ProjectPaths& project, const ArtifactId& id,
                                    std::chrono::seconds time, std::string base, WallTime now);

// Returns the folder below `to` that an artifact is exported to. It has the folders of the artifact's path,
// and with `byThread` one for the thread.
std::filesystem::path exportFolder(const artifacts::Artifact& artifact, const std::filesystem::path& to,
                                   bool byThread);

} // namespace sg::servers
