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

// The address of a Docker Engine API: a unix socket, a host with or without TLS, or a socket of another
// machine by ssh.
struct EngineEndpoint {
    std::filesystem::path socket;
    std::string host{}; // where `socket` is empty
    std::string port{};
    // With one of these, `socket` is this machine's end of the tunnel, once that is open.
    SshPlace ssh{};
    TlsPlace tls{};
    std::shared_ptr<void> tunnel{}; // shared by all users of the endpoint

    // Errc::Unavailable, Errc::PermissionDenied, with the other side's message.
    Result<void> openTunnel();
    [[nodiscard]] bool needsTunnel() const { return !tunnel && (isRemote() || !tls.host.empty()); }
    [[nodiscard]] bool isRemote() const { return !ssh.destination.empty(); }
    [[nodiscard]] std::string text() const; // "unix:///var/run/docker.sock"
    [[nodiscard]] std::string urlHost() const; // "localhost" or "host:port"
    [[nodiscard]] Result<Fd> connect() const;
};

// Accepts "unix:///path", "tcp://host:port" and "ssh://user@host". With DOCKER_TLS_VERIFY, tcp:// uses TLS
// with the certificates of DOCKER_CERT_PATH, else of ~/.docker. Errc::Unsupported names the scheme and an
// alternative.
Result<EngineEndpoint> parseEngineHost(const std::string& host);

// The endpoints to try, in order: `host` alone if given, else $DOCKER_HOST alone, else the usual sockets.
Result<std::vector<EngineEndpoint>> engineCandidates(const std::string& host);

} // namespace sg::sandbox
