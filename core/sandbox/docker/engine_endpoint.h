#pragma once

#include "core/base/child_process.h"
#include "core/base/result.h"
#include "core/sandbox/docker/ssh_tunnel.h"
#include "core/sandbox/docker/tls_tunnel.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace sg::sandbox {

// Where a Docker Engine API answers: a unix socket, a host with or without TLS, or a socket of another
// machine by ssh.
struct EngineEndpoint {
    std::filesystem::path socket;
    std::string host; // where `socket` is empty
    std::string port;
    // By one of these `socket` is this machine's end of the tunnel, once that is open.
    SshPlace ssh{};
    TlsPlace tls{};
    std::shared_ptr<void> tunnel{}; // kept by whoever uses it

    // Errc::Unavailable, Errc::PermissionDenied: with what the other side said.
    Result<void> openTunnel();
    [[nodiscard]] bool needsTunnel() const { return !tunnel && (isRemote() || !tls.host.empty()); }
    [[nodiscard]] bool isRemote() const { return !ssh.destination.empty(); }
    [[nodiscard]] std::string text() const; // "unix:///var/run/docker.sock"
    [[nodiscard]] std::string urlHost() const; // "localhost" or "host:port"
    [[nodiscard]] Result<Fd> connect() const;
};

// "unix:///path", "tcp://host:port", "ssh://user@host". With DOCKER_TLS_VERIFY tcp:// is by TLS, with the
// certificates of DOCKER_CERT_PATH, else of ~/.docker. Errc::Unsupported names what is not spoken and what to
// do instead.
Result<EngineEndpoint> parseEngineHost(const std::string& host);

// What to try, in order: `host` alone if it is given, else $DOCKER_HOST alone, else the usual sockets.
Result<std::vector<EngineEndpoint>> engineCandidates(const std::string& host);

} // namespace sg::sandbox
