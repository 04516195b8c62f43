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

// What the user's own pip would be told, for one that sees nothing of this machine but what is mounted.
struct PipSettings {
    std::map<std::string, std::string> environment; // may hold passwords: never logged or recorded
    std::vector<sandbox::Mount> mounts; // local folders of wheels, certificates
    bool usesNetwork = true; // not: "no-index" is set, or all places of wheels are folders
};

// Addresses of indexes, lists of links and constraints among them; may hold passwords.
std::vector<std::string> remoteAddresses(const PipSettings& settings);
// Hosts, some with ports, that pip is to believe without a certificate: this user's own, mostly.
std::vector<std::string> trustedHosts(const PipSettings& settings);
// Hosts of the indexes and lists of links among them, with their ports, without what is secret in them.
std::vector<std::string> remoteHosts(const PipSettings& settings);

// pip's configuration files (/etc/pip.conf, the user's, PIP_CONFIG_FILE), then PIP_* and the proxy variables
// of the environment, as far as they say where packages come from. A local place that is not there is left
// out, as pip does.
PipSettings pipSettings(const Lookup& environment);

// [global] and [install] of a configuration file: option → value, the lines of a long one joined by blanks.
std::map<std::string, std::string> readPipConfig(std::string_view text);

} // namespace sg::layers
