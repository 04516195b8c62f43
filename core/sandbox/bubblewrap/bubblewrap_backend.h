#pragma once

#include "core/sandbox/sandbox.h"

#include <filesystem>
#include <memory>
#include <string>

namespace sg::sandbox {

struct BubblewrapOptions {
    std::string program = "bwrap";
    std::string instance;
};

std::unique_ptr<SandboxBackend> makeBubblewrapBackend(BubblewrapOptions options = {});

} // namespace sg::sandbox
