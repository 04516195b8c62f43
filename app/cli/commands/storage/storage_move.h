#pragma once

#include "app/cli/commands/commands.h"

namespace sg::cli {

// Tells why a shared place could not be used. That it is away is no missing sandbox, whose exit code
// Errc::Unavailable has elsewhere.
int failOfPlace(const Output& out, const Error& error);

// `storage move`: carries what a project keeps to another place.
void addStorageMove(Verb storage, Shell& shell);

} // namespace sg::cli
