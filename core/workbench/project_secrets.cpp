#include "core/workbench/project_secrets.h"

#include "core/workbench/session_settings.h"

#include <memory>

namespace sg::workbench {

settings::SecretSource userSecrets()
{
    return { processEnvironment, settings::secretsFolder(processEnvironment) };
}

sessions::SecretLookup projectSecrets(const MergedSettings& settings)
{
    const auto source = std::make_shared<const settings::SecretSource>(userSecrets());
    return [source, settings](const std::string& name) -> Result<settings::Secret> {
        if (!mayHaveSecret(settings, name))
            return Error{ Errc::PermissionDenied,
                          "the graph asks for the secret \"" + name
                              + "\". If it may have it, say so with SANDBOX_SECRETS=" + name
                              + " in the environment or --set secrets=" + name };
        return source->find(name);
    };
}

} // namespace sg::workbench
