#pragma once

#include "core/base/result.h"
#include "core/datasets/dataset_source.h"
#include "core/settings/secret.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace sg::datasets {

// A project may come from anybody, and its datasets.json may name programs to run here, folders beside the
// project, and secrets to send away. Such a source is used only once this machine's user has allowed exactly
// it. Kept outside of the project, one hash a line.
class DatasetConsent {
public:
    // `file`: of this user, for all projects; may not exist yet. Empty: nothing can be allowed.
    DatasetConsent(std::filesystem::path file, std::filesystem::path project);

    // What the source would do that has to be allowed: "runs /usr/bin/query on this machine". Nothing for a
    // folder in the project, or an address without a secret.
    [[nodiscard]] std::optional<std::string> risk(const DatasetSource& source) const;
    [[nodiscard]] bool isAllowed(const DatasetSource& source) const;
    Result<void> allow(const DatasetSource& source);

private:
    [[nodiscard]] std::string mark(const DatasetSource& source) const;

    const std::filesystem::path m_file;
    const std::filesystem::path m_project;
};

// What the environment has; any thread.
using SecretVariables = std::function<std::optional<std::string>(const std::string& name)>;
// Of the variable NAME, else of `folder`/NAME, a file of this user's that nobody else can read. Line feeds at
// its end are not part of it. Errc::NotFound, PermissionDenied, InvalidArgument, LimitExceeded.
Result<settings::Secret> readSecret(const std::filesystem::path& folder, const std::string& name,
                                    const SecretVariables& variables);

} // namespace sg::datasets
