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
    Decided decided; // told of each connection; may be empty
    std::filesystem::path work; // an empty folder
    std::int64_t mostBytes = 10LL << 30;
};

struct Installed {
    LayerRecord record;
    std::filesystem::path packages; // in the work folder, owned by this program
};

// Installs the requirements with pip in a sandbox of its own, hardened as those of sessions; to download
// packages it has its own proxy. Only wheels are used, so no code of a package is executed. It takes minutes;
// the error says what failed, why, and what to do.
Result<Installed> installLayer(const InstallJob& job);

// Returns a wheel of pip, which sandboxes may lack; empty: this machine has none.
std::filesystem::path findPipWheel();

} // namespace sg::layers
