#include "core/workbench/secret_variables.h"

#include <string.h> // explicit_bzero
#include <unistd.h>

#include <cstdlib>
#include <map>
#include <vector>

namespace sg::workbench {
namespace {

// Constant once main() has begun.
std::map<std::string, std::string, std::less<>>& taken()
{
    static auto* const all = new std::map<std::string, std::string, std::less<>>;
    return *all;
}

} // namespace

bool isSecretVariable(std::string_view name)
{
    return name.starts_with("SANDGLASS_SECRET_") || name == "ARTIFACTS_SECRET";
}

void takeSecretVariables()
{
    std::vector<std::string> names;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view text = *entry;
        const std::size_t equals = text.find('=');
        if (equals == std::string_view::npos || !isSecretVariable(text.substr(0, equals)))
            continue;
        names.emplace_back(text.substr(0, equals));
        taken().insert_or_assign(names.back(), std::string(text.substr(equals + 1)));
        ::explicit_bzero(*entry + equals + 1, text.size() - equals - 1); // where /proc/self/environ shows it
    }
    for (const std::string& name : names)
        ::unsetenv(name.c_str()); // NOLINT(concurrency-mt-unsafe): one thread yet
}

std::optional<std::string> takenVariable(const std::string& name)
{
    const auto found = taken().find(name);
    return found == taken().end() ? std::nullopt : std::optional(found->second);
}

void giveSecretVariablesBack()
{
    for (const auto& [name, value] : taken())
        ::setenv(name.c_str(), value.c_str(), 1); // NOLINT(concurrency-mt-unsafe): one thread, soon none
}

} // namespace sg::workbench
