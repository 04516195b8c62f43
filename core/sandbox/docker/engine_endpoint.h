#pragma once

#include "core/base/child_process.h"
#include "core/base/result.h"
#include "core/sandbox/docker/ssh_tunnel.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace sg::sandbox {

// Where a Docker Engine API answers: a unix socket, a host without TLS, or a socket of another machine by
// ssh.
struct EngineEndpoint {
    std::filesystem::path socket;
    std::string host; // where `socket` is empty
    std::string port;
    SshPlace ssh{}; // `socket` then is this machine's end of the tunnel, once that is open
    std::shared_ptr<SshTunnel> tunnel{}; // kept by whoever uses it

    [[nodiscard]] bool isRemote() const { return !ssh.destination.empty(); }
    [[nodiscard]] std::string text() const; // "unix:///var/run/docker.sock"
    [[nodiscard]] std::string urlHost() const; // "localhost" or "host:port"
    [[nodiscard]] Result<Fd> connect() const;
};

// "unix:///path", "tcp://host:port", "ssh://user@host". Errc::Unsupported names what is not spoken and what
// to do instead.
Result<EngineEndpoint> parseEngineHost(const std::string& host);

// What to try, in order: `host` alone if it is given, else $DOCKER_HOST alone, else the usual sockets.
Result<std::vector<EngineEndpoint>> engineCandidates(const std::string& host);

} // namespace sg::sandbox
