#pragma once

#include "core/base/result.h"
#include "core/sandbox/e2b/connection.h"

#include <filesystem>
#include <string>
#include <vector>

// The services elsewhere that this user has set up for sandboxes. They stand in a file of the user's, never
// in a project: a graph names one of them.
namespace sg::config {

// $XDG_CONFIG_HOME/sandglass/connections.json; empty: there is no place for it.
std::filesystem::path connectionsFile();
// Empty where there is no file. Errc::InvalidArgument or Corrupt names the file and what is wrong with it.
Result<std::vector<sandbox::e2b::Connection>> readConnections(const std::filesystem::path& file);
// Adds it, or replaces the one of that name.
Result<void> writeConnection(const std::filesystem::path& file, const sandbox::e2b::Connection& connection);
Result<bool> removeConnection(const std::filesystem::path& file, const std::string& name); // false: none
// Tells whether its key goes over a network without encryption.
bool canBeReadOnTheWay(const sandbox::e2b::Connection& connection);
// Gets the secret that is a connection's key.
Result<std::string> connectionKey(const std::string& name);
// Returns the folder in which this user's sandboxes elsewhere are noted.
std::filesystem::path remoteRecordsFolder();

} // namespace sg::config
