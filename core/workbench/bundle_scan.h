#pragma once

#include "core/base/result.h"
#include "core/exchange/secret_scan.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace sg::workbench {

// Of a bundle that is being made: member → file.
using BundleFiles = std::vector<std::pair<std::string, std::filesystem::path>>;

// What looks like a secret in them; rows of a thread are looked into value by value.
Result<std::vector<exchange::SecretFinding>> secretsIn(const BundleFiles& files);

} // namespace sg::workbench
