#pragma once

#include "core/settings/secret.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sg::settings {

// Looks for this user's secrets in this order:
//   the variable SANDGLASS_SECRET_NAME (capitals, "-" as "_")
//   the file `folder`/NAME, this user's, with mode 0600 or less; a line feed at its end is ignored
//   `keyring`, if the program has one; Errc::Unavailable of it means that this machine has none
// Any thread.
class SecretSource {
public:
    using Variables = std::function<std::optional<std::string>(const std::string& name)>;
    using Keyring = std::function<Result<std::optional<std::string>>(const std::string& name)>;

    SecretSource(Variables variables, std::filesystem::path folder, Keyring keyring = {});

    // Errc::NotFound says where it could be put; PermissionDenied: others can read its file.
    [[nodiscard]] Result<Secret> find(const std::string& name) const;
    // Returns "environment", "file" or "keyring"; empty if there is none.
    [[nodiscard]] std::string placeOf(const std::string& name) const;
    // Returns the names of the files, whatever they hold.
    [[nodiscard]] std::vector<std::string> filed() const;
    // These write a secret's file, replacing its content, and remove it (false: there was none).
    [[nodiscard]] Result<void> file(const std::string& name, const std::string& secret) const;
    [[nodiscard]] Result<bool> unfile(const std::string& name) const;
    [[nodiscard]] const std::filesystem::path& folder() const { return m_folder; }

private:
    [[nodiscard]] Result<std::optional<std::string>> fromFile(const std::string& name) const;

    const Variables m_variables;
    const std::filesystem::path m_folder;
    const Keyring m_keyring;
};

// Returns $XDG_CONFIG_HOME/sandglass/secrets, else ~/.config/sandglass/secrets; empty without either.
std::filesystem::path secretsFolder(const SecretSource::Variables& variables);
// Returns "SANDGLASS_SECRET_OPENAI_KEY" for the secret "openai-key".
std::string secretVariable(const std::string& name);

} // namespace sg::settings
