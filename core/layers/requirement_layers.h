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

// One installation, as it begins.
struct Installation {
    std::string id; // of the layer
    std::vector<std::string> requirements;
    std::vector<std::string> addresses; // of wheels that requirements, or what they were resolved to, name
    std::vector<std::string> hosts; // that pip's settings name; none: pip's own choice
    bool usesNetwork = false;
};

// Who looks after installations; may be empty.
struct InstallWatch {
    std::function<Result<void>(const Installation&)> begins{}; // an error: it must not
    // What it asks of the network, on other threads; false: it cannot be recorded, so it must not.
    std::function<bool(const Installation&, const sandbox::egress::EgressDecision&)> asks{};
    std::function<void(const Installation&, const Result<void>& how)> ended{};
};

// The layers of this user: what sessions require, installed once and shared. Any thread.
class RequirementLayers {
public:
    // `root`: layers of all projects; empty: there is no place for them. `environment`: pip's settings.
    RequirementLayers(std::filesystem::path root, Lookup environment, InstallWatch watch = {});

    // sessions::LayerSource.
    Result<sessions::Layer> layerFor(const sessions::LayerWish& wish) const;

    // Folders that no session has used since. What they were resolved to stays known.
    Result<std::vector<LayerRecord>> collect(WallTime unusedSince, bool dryRun) const;
    [[nodiscard]] const LayerFolder& folder() const { return m_folder; }

private:
    [[nodiscard]] Result<sessions::Layer> install(const sessions::LayerWish& wish, const std::string& id,
                                                  Fd lock) const;

    const LayerFolder m_folder;
    const Lookup m_environment;
    const InstallWatch m_watch;
};

// Of requirements for one Python: the same for the same.
std::string layerId(const std::string& pythonIdentity, const std::vector<std::string>& requirements);

} // namespace sg::layers
