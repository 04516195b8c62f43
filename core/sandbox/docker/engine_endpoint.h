#pragma once

#include "core/base/child_process.h"
#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <vector>

namespace sg::sandbox {

// Where a Docker Engine API answers: a unix socket, or a host without TLS.
struct EngineEndpoint {
    std::filesystem::path socket;
    std::string host; // where `socket` is empty
    std::string port;

    [[nodiscard]] std::string text() const; // "unix:///var/run/docker.sock"
    [[nodiscard]] std::string urlHost() const; // "localhost" or "host:port"
    [[nodiscard]] Result<Fd> connect() const;
};

// "unix:///path", "tcp://host:port". Errc::Unsupported names what is not spoken and what to do instead.
Result<EngineEndpoint> parseEngineHost(const std::string& host);

// What to try, in order: `host` alone if it is given, else $DOCKER_HOST alone, else the usual sockets.
Result<std::vector<EngineEndpoint>> engineCandidates(const std::string& host);

} // namespace sg::sandbox
