#pragma once

#include "core/sandbox/sandbox.h"

#include <memory>
#include <string>

namespace sg::sandbox {

struct DockerOptions {
    std::string host; // "unix:///var/run/docker.sock"; empty: $DOCKER_HOST, the usual sockets (Docker,
                      // rootless, Podman)
    std::string instance; // id of this process's workspace, for labels
    std::string runtime; // "" the engine's default, or "runsc"
    // The way to the runner: "socket" in a shared folder, "attached" to its standard streams, "bundle": the
    // same for an engine that sees no folder of this machine. Empty: the first of these that works.
    std::string transport;
};

std::unique_ptr<SandboxBackend> makeDockerBackend(DockerOptions options);

} // namespace sg::sandbox
