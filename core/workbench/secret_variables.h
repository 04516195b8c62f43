#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sg::workbench {

// SANDGLASS_SECRET_NAME, and the key of signed addresses.
bool isSecretVariable(std::string_view name);

// Takes them out of this process's environment and wipes them there: what it starts does not inherit them,
// and /proc does not show them. processEnvironment() still finds them. At the start of main(), before there
// is another thread.
void takeSecretVariables();
std::optional<std::string> takenVariable(const std::string& name);
// For the program that takes this one's place.
void giveSecretVariablesBack();

} // namespace sg::workbench
