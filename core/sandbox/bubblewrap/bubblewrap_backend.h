#pragma once

#include "core/sandbox/sandbox.h"

#include <filesystem>
#include <memory>
#include <string>

namespace sg::sandbox {

struct BubblewrapOptions {
    std::string program = "bwrap";
    std::string instance;
    std::string uidName = "sandglass"; // the account that sandboxes run as when we are root
};

std::unique_ptr<SandboxBackend> makeBubblewrapBackend(BubblewrapOptions options = {});

} // namespace sg::sandbox
