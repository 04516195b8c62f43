#pragma once

#include "app/cli/commands/commands.h"

namespace sg::cli {

// `storage move`: carries what a project keeps to another place.
void addStorageMove(Verb storage, Shell& shell);

} // namespace sg::cli
