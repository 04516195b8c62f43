#pragma once

#include "core/layers/layer_folder.h"
#include "core/layers/pip_settings.h"
#include "core/sandbox/egress/egress_connection.h"
#include "core/sessions/layer.h"

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace sg::layers {

// An installation that is about to begin.
struct Installation {
    std::string id; // the layer's
    std::vector<std::string> requirements;
    std::vector<std::string> addresses; // of wheels that requirements, or their resolved pins, name
    std::vector<std::string> hosts; // hosts in pip's settings; empty: pip's own choice
    bool usesNetwork = false;
};

// Callbacks that watch installations; each may be empty.
struct InstallWatch {
    std::function<Result<void>(const Installation&)> begins{}; // an error prevents the installation
    // Called on other threads for each connection; false: it could not be recorded, so it is refused.
    std::function<bool(const Installation&, const sandbox::egress::EgressDecision&)> asks{};
    std::function<void(const Installation&, const Result<void>& how)> ended{};
};

// The layers of this user, which hold packages that sessions require, installed once and shared. Any thread.
class RequirementLayers {
public:
    // `root` has the layers of all projects, or is empty: there is no place. `environment` gives pip's
    // settings.
    RequirementLayers(std::filesystem::path root, Lookup environment, InstallWatch watch = {});

    // Implements sessions::LayerSource.
    Result<sessions::Layer> layerFor(const sessions::LayerWish& wish) const;

    // Removes folders that no session has used since. What they were resolved to is kept.
    Result<std::vector<LayerRecord>> collect(WallTime unusedSince, bool dryRun) const;
    [[nodiscard]] const LayerFolder& folder() const { return m_folder; }

private:
    [[nodiscard]] Result<sessions::Layer> install(const sessions::LayerWish& wish, const std::string& id,
                                                  Fd lock) const;

    const LayerFolder m_folder;
    const Lookup m_environment;
    const InstallWatch m_watch;
};

// Returns the same id for equal requirements of the same Python.
std::string layerId(const std::string& pythonIdentity, const std::vector<std::string>& requirements);

} // namespace sg::layers
