#include "core/config/secrets.h"

#include "core/config/session_settings.h"

#include <string.h> // explicit_bzero
#include <unistd.h>

#include <cstdlib>
#include <map>
#include <vector>

namespace sg::config {
namespace {

// It is constant once main() has begun.
std::map<std::string, std::string, std::less<>>& taken()
{
    static auto* const all = new std::map<std::string, std::string, std::less<>>;
    return *all;
}

} // namespace

settings::SecretSource userSecrets(const std::stop_token& stop)
{
    return { processEnvironment, settings::secretsFolder(processEnvironment),
             [keyring = userKeyring(), stop](const std::string& name) { return keyring.find(name, stop); } };
}

settings::Keyring userKeyring()
{
    return settings::Keyring({ processEnvironment });
}

std::string secretNotAllowed(const std::string& name)
{
    return "the graph asks for the secret \"" + name
        + "\", and nothing allows it. If it may have it, say so with SANDBOX_SECRETS=" + name
        + " in the environment or --set secrets=" + name;
}

sessions::SecretLookup projectSecrets(const MergedSettings& settings)
{
    return [settings](const std::string& name, const std::stop_token& stop) -> Result<settings::Secret> {
        if (!mayHaveSecret(settings, name))
            return Error{ Errc::PermissionDenied, secretNotAllowed(name) };
        return userSecrets(stop).find(name);
    };
}

sessions::SecretLookup headerSecrets(const MergedSettings& settings)
{
    return [settings](const std::string& name, const std::stop_token& stop) -> Result<settings::Secret> {
        if (!mayGiveSecret(settings, name))
            return Error{ Errc::PermissionDenied,
                          "the secret \"" + name
                              + "\" is given to no host: SANDBOX_SECRET_HEADERS is not set so" };
        return userSecrets(stop).find(name);
    };
}

Result<settings::Secret> modelKey(const MergedSettings& settings, const std::string& name,
                                  const ModelPlace& place, const std::stop_token& stop)
{
    if (mayShowKey(settings, name, place))
        return userSecrets(stop).find(name);
    const std::string plainly = place.scheme == "http" && !place.isThisMachine ? "http://" : "";
    return Error{ Errc::PermissionDenied,
                  "the secret \"" + name + "\" may not be shown to " + place.place
                      + ". If it may, say so with MODEL_KEYS=" + name + "@" + plainly + place.place
                      + " in the environment or --set model_keys=" + name + "@" + plainly + place.place };
}

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
        ::explicit_bzero(*entry + equals + 1, text.size() - equals - 1); // what /proc shows
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

} // namespace sg::config
