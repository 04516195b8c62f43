#pragma once

#include "core/base/value.h"
#include "core/sandbox/sandbox.h"

#include <sys/types.h>

#include <string>

namespace sg::sandbox {

// The way in which this process and the container's runner communicate.
enum class Transport {
    Socket, // a unix socket in a folder that both see
    Attached, // the first process's standard streams, through the engine
    Bundle, // likewise, where the engine sees no folder of this machine: the runner is sent first
};

// The parameters of a container: from the caller, the engine and the backend.
struct ContainerRequest {
    SandboxSpec spec;
    Transport transport = Transport::Socket;
    std::string socketFolder; // Socket: on this machine
    std::string instance;
    std::string owner; // ownerMark()
    std::string runtime; // may be empty
    uid_t uid = 0;
    gid_t gid = 0;
    double cpus = 0; // of the engine; 0: unknown
    bool sharesUser = true; // with other programs or containers
    bool podman = false;
    bool keepsUser = false; // same uid inside and outside, else folders belong to another user
    std::string bundleStart; // Bundle: Python code that reads the runner from the stream
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
// "sandglass-<project8>-<session>", with characters that are not allowed in names replaced.
std::string containerName(const SandboxSpec& spec);

} // namespace sg::sandbox
