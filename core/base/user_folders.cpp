#include "core/base/user_folders.h"

#include <pwd.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string>

namespace fs = std::filesystem;

namespace sg {
namespace {

std::string environmentValue(const char* name)
{
    const char* value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): nothing here sets the environment
    return value == nullptr ? std::string() : std::string(value);
}

// Returns the home folder in the account database; empty if it has none.
fs::path accountHome()
{
    std::array<char, 4096> text{};
    passwd entry{};
    passwd* found = nullptr;
    if (::getpwuid_r(::getuid(), &entry, text.data(), text.size(), &found) != 0 || found == nullptr)
        return {};
    return found->pw_dir;
}

} // namespace

fs::path userDataFolder()
{
    if (const fs::path data = environmentValue("XDG_DATA_HOME"); data.is_absolute())
        return data;
    const fs::path home = userHomeFolder();
    return home.empty() ? fs::path() : home / ".local" / "share";
}

fs::path userHomeFolder()
{
    fs::path home = environmentValue("HOME");
    if (!home.is_absolute())
        home = accountHome();
    return home.is_absolute() ? home : fs::path();
}

} // namespace sg
