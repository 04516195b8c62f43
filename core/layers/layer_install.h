#pragma once

#include "core/layers/install_network.h"
#include "core/layers/layer_folder.h"
#include "core/layers/pip_settings.h"
#include "core/sessions/layer.h"

#include <filesystem>

namespace sg::layers {

struct InstallJob {
    const sessions::LayerWish& wish;
    std::string id;
    std::vector<Pin> pins; // what the id was resolved to before; empty: it is resolved now
    PipSettings pip;
    std::vector<std::string> addresses; // of wheels that requirements or pins name
    Decided decided; // told of what it asks of the network; may be empty
    std::filesystem::path work; // an empty folder
    std::int64_t mostBytes = 10LL << 30;
};

struct Installed {
    LayerRecord record;
    std::filesystem::path packages; // in the work folder, this program's own
};

// Has the requirements installed by pip in a sandbox made for that: as the sessions' ones; where
// packages have to be fetched, by a proxy of its own. Wheels only: nothing of a package is executed.
// Minutes; the error says what failed, why, and what to do.
Result<Installed> installLayer(const InstallJob& job);

// A wheel of pip itself, which sandboxes need not have; empty: this machine has none.
std::filesystem::path findPipWheel();

} // namespace sg::layers
