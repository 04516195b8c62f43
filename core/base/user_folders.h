#pragma once

#include <filesystem>

namespace sg {

// Where this user's programs keep data: XDG_DATA_HOME, else ~/.local/share of HOME or of the account. Empty
// where neither is an absolute path. Any thread.
std::filesystem::path userDataFolder();

// HOME, else the home folder of the account. Empty where neither is an absolute path. Any thread.
std::filesystem::path userHomeFolder();

} // namespace sg
