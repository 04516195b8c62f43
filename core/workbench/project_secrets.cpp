#include "core/workbench/project_secrets.h"

#include "core/workbench/session_settings.h"

namespace sg::workbench {

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

} // namespace sg::workbench
