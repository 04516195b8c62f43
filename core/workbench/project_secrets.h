#pragma once

#include "core/sessions/session_manager.h"
#include "core/settings/keyring.h"
#include "core/settings/secret_source.h"
#include "core/workbench/setting_layers.h"

#include <stop_token>
#include <string>

namespace sg::workbench {

// This user's secrets: environment, then the files of secretsFolder(), then the keyring.
// `stop`: nobody waits any more for the keyring, which may wait for a person.
settings::SecretSource userSecrets(const std::stop_token& stop = {});
settings::Keyring userKeyring();

// How to let a project's graphs have one, for people.
std::string secretNotAllowed(const std::string& name);
// The same for the sessions of a project. Errc::PermissionDenied says how to let its graphs have one.
sessions::SecretLookup projectSecrets(const MergedSettings& settings);
// Those that the proxy alone may use: SANDBOX_SECRET_HEADERS. No session is given one of them for that.
sessions::SecretLookup headerSecrets(const MergedSettings& settings);

} // namespace sg::workbench
