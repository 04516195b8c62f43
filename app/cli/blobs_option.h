#pragma once

#include "app/cli/options.h"
#include "core/config/setting_layers.h"

#include <string>

namespace sg::cli {

// --blobs: where the contents of artifacts are kept.
struct BlobsOption {
    std::string blobs;

    void add(Verb verb);
    void apply(config::SettingValues& settings) const;
    [[nodiscard]] config::SettingValues settings() const;
};

} // namespace sg::cli
