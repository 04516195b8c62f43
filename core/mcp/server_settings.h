#pragma once

#include "core/base/result.h"
#include "core/base/value.h"

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sg::mcp {

inline constexpr std::size_t kMostServers = 50;

// One entry of "mcp" in a graph file: a program that speaks on its standard streams, or an address.
struct ServerSettings {
    std::string name; // letters, digits, "-" and "_"
    std::vector<std::string> command; // empty: it has an address
    std::vector<std::pair<std::string, std::string>> environment;
    std::string files; // a folder of the project, which a sandboxed program finds at kFilesInside
    std::vector<std::string> requirements; // Python packages of a sandboxed program
    bool outside = false; // it wishes to run on this machine, which its user has to allow
    std::string url;
    std::vector<std::pair<std::string, std::string>> headers; // "{secret}" in them stands for the secret
    std::string secret; // the name of one
    std::chrono::milliseconds timeout{ 60'000 }; // of a call
    std::vector<std::string> tools; // only these are offered; empty: all
    Value written{}; // the entry as it stands in the file

    // Says in words what its user has to allow first; empty: nothing.
    [[nodiscard]] std::string risk() const;
};

inline constexpr const char* kFilesInside = "/server";

// Errc::InvalidArgument names the server and the key.
Result<std::vector<ServerSettings>> readServers(const Value& mcp);

} // namespace sg::mcp
