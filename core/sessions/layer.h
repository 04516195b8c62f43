#pragma once

#include "core/base/result.h"
#include "core/sandbox/sandbox.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace sg::sessions {

// The path of the layer inside the sandbox.
inline constexpr const char* kLayerMount = "/opt/sandglass/layer";

// A read-only folder with the Python packages that a graph requires; sessions share it.
struct Layer {
    std::string id; // hex digits: hash of the requirements and the Python that they are for
    std::filesystem::path packages; // the folder that is mounted
    std::vector<std::string> pins; // its packages, sorted: "networkx==3.3"
    std::shared_ptr<const void> hold; // while this lives nobody removes the folder
};

struct LayerWish {
    std::string backendName; // "docker"
    sandbox::SandboxBackend& backend;
    std::string image;
    std::filesystem::path python; // virtual environment of bubblewrap sandboxes
    std::filesystem::path runnerFolder;
    std::vector<std::string> requirements; // sorted, not empty
    bool offline = false; // nothing may be fetched
    std::function<void(const std::string& line)> say; // progress, for people; may be empty
    std::stop_token stop;
};

// Returns the layer that a wish asks for and installs it where it is missing, which takes minutes. Any
// thread. Errc::Cancelled: by the stop token; Unavailable: it is not there and cannot be fetched.
using LayerSource = std::function<Result<Layer>(const LayerWish& wish)>;

} // namespace sg::sessions
