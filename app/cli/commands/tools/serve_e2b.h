#pragma once

#include "app/cli/commands/commands.h"
#include "app/cli/output.h"
#include "app/cli/session_option.h"
#include "core/servers/artifacts/artifact_service.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace sg::cli {

struct ServeE2bArguments {
    bool isWanted = false;
    bool isLikeKruise = false;
    std::string newKey; // the name of a client to make a key for
    int sandboxes = 20;
    int ready = 0;
    int longest = 24 * 3600; // seconds
    int memory = 0; // MiB; 0: no limit
    SessionOption session;
};

bool isLoopback(std::string_view address);
void addE2bOptions(Verb verb, ServeE2bArguments& arguments);
// Serves sandboxes until a person ends it, or makes a key.
int serveE2b(const std::string& project, const servers::ServeOptions& serve,
             const ServeE2bArguments& arguments, const Output& out);

} // namespace sg::cli
