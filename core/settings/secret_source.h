#pragma once

#include "core/settings/secret.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sg::settings {

// Where this user's secrets are looked for, in this order:
//   the variable SANDGLASS_SECRET_NAME (capitals, "-" as "_")
//   the file `folder`/NAME, of this user and with mode 0600 or less; one line feed at its end is not part of
//   it `keyring`, where the program has one; its Errc::Unavailable means that there is none on this machine
// Any thread.
class SecretSource {
public:
    using Variables = std::function<std::optional<std::string>(const std::string& name)>;
    using Keyring = std::function<Result<std::optional<std::string>>(const std::string& name)>;

    SecretSource(Variables variables, std::filesystem::path folder, Keyring keyring = {});

    // Errc::NotFound says where it could be put; Errc::PermissionDenied: its file could be read by others.
    [[nodiscard]] Result<Secret> find(const std::string& name) const;
    // "environment", "file", "keyring"; empty where there is none.
    [[nodiscard]] std::string placeOf(const std::string& name) const;
    // The names of the files, whatever they hold.
    [[nodiscard]] std::vector<std::string> filed() const;
    // Into its file, in place of what it held; and away from there (false: there was none).
    [[nodiscard]] Result<void> file(const std::string& name, const std::string& secret) const;
    [[nodiscard]] Result<bool> unfile(const std::string& name) const;
    [[nodiscard]] const std::filesystem::path& folder() const { return m_folder; }

private:
    [[nodiscard]] Result<std::optional<std::string>> fromFile(const std::string& name) const;

    const Variables m_variables;
    const std::filesystem::path m_folder;
    const Keyring m_keyring;
};

// $XDG_CONFIG_HOME/sandglass/secrets, else ~/.config/sandglass/secrets; empty where neither is to be had.
std::filesystem::path secretsFolder(const SecretSource::Variables& variables);
// "SANDGLASS_SECRET_OPENAI_KEY"
std::string secretVariable(const std::string& name);

} // namespace sg::settings
