#pragma once

#include "core/config/setting_layers.h"
#include "core/sessions/manager/session_manager.h"
#include "core/settings/keyring.h"
#include "core/settings/secret_source.h"

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace sg::config {

// Looks up this user's secrets: in the environment, the files of secretsFolder(), then the keyring. `stop`
// ends waiting for the keyring, which may wait for a person.
settings::SecretSource userSecrets(const std::stop_token& stop = {});
settings::Keyring userKeyring();

// Says how to let a project's graphs have a secret, for people.
std::string secretNotAllowed(const std::string& name);
// Looks up secrets for the sessions of a project. Errc::PermissionDenied says how to let its graphs have one.
sessions::SecretLookup projectSecrets(const MergedSettings& settings);
// Looks up secrets that only the proxy may use: SANDBOX_SECRET_HEADERS. This gives them to no session.
sessions::SecretLookup headerSecrets(const MergedSettings& settings);

// A key of chat models, for one place. MODEL_KEYS names both together, as in openai-key@api.openai.com;
// without TLS the entry must say so (key@http://10.0.0.5:8000), but for this machine itself.
// Errc::PermissionDenied says how to allow it.
struct ModelPlace; // of session_settings.h
Result<settings::Secret> modelKey(const MergedSettings& settings, const std::string& name,
                                  const ModelPlace& place, const std::stop_token& stop);

// SANDGLASS_SECRET_NAME, and the key of signed addresses.
bool isSecretVariable(std::string_view name);

// Moves the secret variables out of this process's environment and wipes them there: its children do not
// inherit them, and /proc does not show them. processEnvironment() still finds them. Called at the start of
// main(), before there is another thread.
void takeSecretVariables();
std::optional<std::string> takenVariable(const std::string& name);
// Puts them back for a program that replaces this one by exec.
void giveSecretVariablesBack();

} // namespace sg::config
