#pragma once

#include "core/sessions/session_manager.h"
#include "core/settings/secret_source.h"
#include "core/workbench/setting_layers.h"

namespace sg::workbench {

// This user's secrets: environment, then the files of secretsFolder().
settings::SecretSource userSecrets();

// The same for the sessions of a project. Errc::PermissionDenied says how to let its graphs have one.
sessions::SecretLookup projectSecrets(const MergedSettings& settings);

} // namespace sg::workbench
