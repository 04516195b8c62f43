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
};

std::unique_ptr<SandboxBackend> makeDockerBackend(DockerOptions options);

} // namespace sg::sandbox
