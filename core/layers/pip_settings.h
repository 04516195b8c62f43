#pragma once

#include "core/sandbox/sandbox.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sg::layers {

using Lookup = std::function<std::optional<std::string>(const std::string& name)>;

// The settings of the user's own pip, for a pip that sees only the mounted parts of this machine.
struct PipSettings {
    std::map<std::string, std::string> environment; // may hold passwords: never logged or recorded
    std::vector<sandbox::Mount> mounts; // local folders of wheels, certificates
    bool usesNetwork = true; // false: "no-index" is set, or all places of wheels are folders
};

// Returns the addresses of indexes, lists of links and constraints; they may hold passwords.
std::vector<std::string> remoteAddresses(const PipSettings& settings);
// Returns hosts, some with ports, that pip trusts without a certificate: usually this user's own.
std::vector<std::string> trustedHosts(const PipSettings& settings);
// Returns the hosts of indexes and lists of links, with ports but without passwords.
std::vector<std::string> remoteHosts(const PipSettings& settings);

// Reads pip's configuration files (/etc/pip.conf, the user's, PIP_CONFIG_FILE), then PIP_* and proxy
// variables of the environment, as far as they say where packages come from. Missing local places are left
// out, as in pip.
PipSettings pipSettings(const Lookup& environment);

// Parses [global] and [install] of a configuration file: option → value, continued lines joined by blanks.
std::map<std::string, std::string> readPipConfig(std::string_view text);

} // namespace sg::layers
