#pragma once

#include "core/sandbox/docker/container_request.h"
#include "core/sandbox/docker/docker_sandbox.h"

#include <memory>

namespace sg::sandbox {

// Creates and starts a container and opens the runner's stream; a failure leaves nothing behind.
// Errc::NotFound: the image is missing. Errc::Unavailable: the container ran, but its runner could not be
// reached; another transport may work.
Result<std::unique_ptr<DockerSandbox>> startContainer(const std::shared_ptr<EngineApi>& engine,
                                                      const ContainerRequest& request);

// Errc::NotFound, with the way to get the image.
Error missingImage(const std::string& image);

// A running container of an earlier process, as GET /containers/ID/json describes it.
Result<std::unique_ptr<DockerSandbox>> adoptContainer(const std::shared_ptr<EngineApi>& engine,
                                                      const Value& inspected);

} // namespace sg::sandbox
