#include "core/sandbox/docker/engine_endpoint.h"

#include "core/net/connect_socket.h"

#include <unistd.h>

#include <chrono>
#include <cstdlib>

namespace sg::sandbox {
namespace {

constexpr auto kConnectTimeout = std::chrono::seconds(2);

bool takePrefix(std::string& text, const std::string& prefix)
{
    if (text.rfind(prefix, 0) != 0)
        return false;
    text.erase(0, prefix.size());
    return true;
}

std::string environment(const char* name)
{
    const char* value =
        std::getenv(name); // NOLINT(concurrency-mt-unsafe): nothing here changes the environment
    return value ? value : "";
}

std::filesystem::path certificatesFolder()
{
    if (const std::string chosen = environment("DOCKER_CERT_PATH"); !chosen.empty())
        return chosen;
    return std::filesystem::path(environment("HOME")) / ".docker";
}

} // namespace

std::string EngineEndpoint::text() const
{
    if (isRemote())
        return ssh.text();
    if (!tls.host.empty())
        return tls.text();
    return socket.empty() ? "tcp://" + host + ':' + port : "unix://" + socket.string();
}

std::string EngineEndpoint::urlHost() const
{
    return socket.empty() ? host + ':' + port : "localhost";
}

Result<Fd> EngineEndpoint::connect() const
{
    return socket.empty() ? net::connectTcp(host, port, kConnectTimeout) : net::connectUnixSocket(socket);
}

Result<void> EngineEndpoint::openTunnel()
{
    if (isRemote()) {
        auto opened = SshTunnel::open(ssh);
        if (!opened)
            return std::move(opened.error());
        socket = (*opened)->socket();
        tunnel = std::move(*opened);
        return {};
    }
    auto opened = TlsTunnel::open(tls);
    if (!opened)
        return std::move(opened.error());
    socket = (*opened)->socket();
    tunnel = std::move(*opened);
    return {};
}

Result<EngineEndpoint> parseEngineHost(const std::string& host)
{
    EngineEndpoint endpoint;
    std::string rest = host;
    if (takePrefix(rest, "unix://")) {
        endpoint.socket = rest;
        if (!endpoint.socket.is_absolute())
            return Error{ Errc::InvalidArgument, "Docker host " + host + ": unix:// needs an absolute path" };
        return endpoint;
    }
    if (takePrefix(rest, "tcp://")) {
        const bool isTls = !environment("DOCKER_TLS_VERIFY").empty();
        if (!isTls && !environment("DOCKER_TLS").empty())
            return Error{ Errc::Unsupported,
                          "Docker host " + host
                              + ": TLS without a check of who answers (DOCKER_TLS) is not spoken; set "
                                "DOCKER_TLS_VERIFY=1 "
                                "and put the engine's ca.pem into DOCKER_CERT_PATH" };
        const std::size_t colon = rest.rfind(':');
        endpoint.host = rest.substr(0, colon);
        endpoint.port = colon == std::string::npos ? (isTls ? "2376" : "2375") : rest.substr(colon + 1);
        while (!endpoint.port.empty() && endpoint.port.back() == '/')
            endpoint.port.pop_back();
        if (endpoint.host.empty() || endpoint.port.empty()
            || endpoint.port.find_first_not_of("0123456789") != std::string::npos)
            return Error{ Errc::InvalidArgument, "Docker host " + host + ": tcp:// needs a host and a port" };
        if (isTls)
            endpoint.tls = { endpoint.host, endpoint.port, certificatesFolder() };
        return endpoint;
    }
    if (takePrefix(rest, "ssh://")) {
        auto place = parseSshPlace(rest);
        if (!place)
            return std::move(place.error());
        endpoint.ssh = std::move(*place);
        return endpoint;
    }
    return Error{ Errc::InvalidArgument,
                  "Docker host " + host + ": it must begin with unix://, tcp:// or ssh://" };
}

Result<std::vector<EngineEndpoint>> engineCandidates(const std::string& host)
{
    const std::string chosen = host.empty() ? environment("DOCKER_HOST") : host;
    if (!chosen.empty()) {
        auto endpoint = parseEngineHost(chosen);
        if (!endpoint)
            return std::move(endpoint.error());
        return std::vector{ std::move(*endpoint) };
    }
    std::vector<EngineEndpoint> candidates{ { .socket = "/var/run/docker.sock" } };
    if (const std::string runtime = environment("XDG_RUNTIME_DIR"); !runtime.empty()) {
        candidates.push_back({ .socket = runtime + "/docker.sock" });
        candidates.push_back({ .socket = runtime + "/podman/podman.sock" });
    }
    if (::geteuid() == 0)
        candidates.push_back({ .socket = "/run/podman/podman.sock" });
    return candidates;
}

} // namespace sg::sandbox
