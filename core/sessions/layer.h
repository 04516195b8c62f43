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

// Where a sandbox has its layer.
inline constexpr const char* kLayerMount = "/opt/sandglass/layer";

// A read-only folder with the Python packages that a graph requires; sessions share it.
struct Layer {
    std::string id; // hex digits: of what was required, for which Python
    std::filesystem::path packages; // what is mounted
    std::vector<std::string> pins; // "networkx==3.3": what is in it, sorted
    std::shared_ptr<const void> hold; // as long as it lives nobody removes the folder
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

// The layer that a wish asks for, installed now if it has to be: minutes. Any thread. Errc::Cancelled: by the
// stop token; Unavailable: it is not there and cannot be fetched.
using LayerSource = std::function<Result<Layer>(const LayerWish& wish)>;

} // namespace sg::sessions
