#pragma once

#include <filesystem>

namespace sg {

// Returns where this user's programs keep data: XDG_DATA_HOME, else .local/share in HOME or in the account's
// home. Empty if neither is an absolute path. Any thread.
std::filesystem::path userDataFolder();

// Returns HOME, else the home folder of the account. Empty if neither is an absolute path. Any thread.
std::filesystem::path userHomeFolder();

} // namespace sg
