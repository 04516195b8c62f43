#pragma once

#include "core/sandbox/e2b/connection.h"
#include "core/sandbox/sandbox.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sg::sandbox {

struct E2bOptions {
    std::string instance; // id of this process's workspace, for metadata
    // The connections that this user has set up; asked anew with each start.
    std::function<Result<std::vector<e2b::Connection>>()> connections;
    std::function<Result<std::string>(const std::string& name)> key; // a secret of this user
    std::filesystem::path runnerFolder; // resources/sandbox
    std::filesystem::path records; // folder in which sandboxes elsewhere are noted; empty: they are not
};

// Sandboxes of services that speak E2B's protocol: E2B's cloud, OpenKruise, another Sandglass.
std::unique_ptr<SandboxBackend> makeE2bBackend(E2bOptions options);

// This is the state of a connection, as its service tells it now.
struct ConnectionState {
    std::chrono::microseconds latency{ 0 };
    std::vector<FoundSandbox> sandboxes; // of this program, of whichever project
    std::optional<std::vector<std::string>> templates{}; // nullopt: the service lists none
};
// Asks the service. Its key goes to the connection's own address alone.
Result<ConnectionState> tryConnection(const e2b::Connection& connection,
                                      const std::function<Result<std::string>(const std::string&)>& key);

// Ends one of its sandboxes, by the name that it was found with. One that has ended is no error.
Result<void> endSandbox(const e2b::Connection& connection,
                        const std::function<Result<std::string>(const std::string&)>& key,
                        const std::string& name);

} // namespace sg::sandbox
