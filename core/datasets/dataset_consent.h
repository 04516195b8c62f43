#pragma once

#include "core/base/result.h"
#include "core/datasets/dataset_source.h"
#include "core/settings/consent_file.h"
#include "core/settings/secret.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace sg::datasets {

// A project may come from anybody, and its datasets.json may name programs to run here, folders outside the
// project, and secrets to send away. Such a source is used only once this machine's user has allowed exactly
// that source. Consent is stored outside the project, one hash per line.
class DatasetConsent {
public:
    // `file` is this user's, for all projects, and may not exist yet. Empty: nothing can be allowed.
    DatasetConsent(std::filesystem::path file, std::filesystem::path project);

    // Returns what needs consent: "runs /usr/bin/query on this machine". nullopt: the source is harmless.
    [[nodiscard]] std::optional<std::string> risk(const DatasetSource& source) const;
    [[nodiscard]] bool isAllowed(const DatasetSource& source) const;
    Result<void> allow(const DatasetSource& source);

private:
    [[nodiscard]] std::string mark(const DatasetSource& source) const;

    settings::ConsentFile m_file;
    const std::filesystem::path m_project;
};

// Looks up a variable of the environment. Any thread.
using SecretVariables = std::function<std::optional<std::string>(const std::string& name)>;
// Reads the variable NAME, else the file `folder`/NAME, which nobody but this user may be able to read,
// without trailing line feeds. Errc::NotFound, PermissionDenied, InvalidArgument, LimitExceeded.
Result<settings::Secret> readSecret(const std::filesystem::path& folder, const std::string& name,
                                    const SecretVariables& variables);

} // namespace sg::datasets
