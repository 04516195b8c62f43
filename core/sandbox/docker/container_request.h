#pragma once

#include "core/base/value.h"
#include "core/sandbox/sandbox.h"

#include <sys/types.h>

#include <string>

namespace sg::sandbox {

// How this process and the runner in the container talk.
enum class Transport {
    Socket, // a unix socket in a folder that both see
    Attached, // the first process's standard streams, by way of the engine
    Bundle, // the same where the engine sees no folder of this machine: the runner is sent over the stream
};

// All that a container is made of; what the caller, the engine and the backend decide.
struct ContainerRequest {
    SandboxSpec spec;
    Transport transport = Transport::Socket;
    std::string socketFolder; // Socket: on this machine
    std::string instance;
    std::string owner; // ownerMark()
    std::string runtime; // may be empty
    uid_t uid = 0;
    gid_t gid = 0;
    double cpus = 0; // that the engine has; 0: unknown
    bool sharesUser = true; // with other programs, or other containers
    bool podman = false;
    bool keepsUser = false; // inside and on this machine it has the same number: else folders are another's
    std::string bundleStart; // Bundle: the Python text that takes the runner from the stream
};

namespace label {
constexpr const char* kOurs = "io.sandglass";
constexpr const char* kSession = "io.sandglass.session";
constexpr const char* kThread = "io.sandglass.thread";
constexpr const char* kPart = "io.sandglass.part";
constexpr const char* kProject = "io.sandglass.project";
constexpr const char* kInstance = "io.sandglass.instance";
constexpr const char* kOwner = "io.sandglass.owner";
constexpr const char* kKept = "io.sandglass.kept";
constexpr const char* kFolder = "io.sandglass.folder";
} // namespace label

// The body of POST /containers/create.
Value containerBody(const ContainerRequest& request);
// "sandglass-<project8>-<session>", with the characters that a container's name may have.
std::string containerName(const SandboxSpec& spec);

} // namespace sg::sandbox
