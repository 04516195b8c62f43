#pragma once

#include "app/cli/options.h"
#include "core/base/result.h"
#include "core/workbench/workbench.h"

#include <string>
#include <vector>

namespace sg::cli {

// Options that tell how sessions are made, for verbs that may start one: --backend, --mode, --storage,
// --datasets, --image, --scope, --set, --env-file, --keep-session, --offline.
struct SessionOption {
    std::string backend;
    std::string mode;
    std::string storage;
    std::string datasets;
    std::string image;
    std::string scope;
    std::vector<std::string> set; // "KEY=VALUE"
    std::string envFile;
    bool keep = false;
    bool offline = false;

    void add(Verb verb);
    // Errc::InvalidArgument where --set names an unknown key.
    [[nodiscard]] Result<void> apply(workbench::WorkbenchOptions& options) const;
    // Returns the options that were given, as a person types them: " --backend docker"; empty if none was.
    [[nodiscard]] std::string words() const;
};

} // namespace sg::cli
