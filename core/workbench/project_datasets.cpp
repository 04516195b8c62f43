#include "core/workbench/project_datasets.h"

#include "core/workbench/project_audit.h"
#include "core/workbench/runtime.h"
#include "core/workbench/setting_layers.h"

#include <system_error>

namespace sg::workbench {

datasets::DatasetFolders datasetFolders(const ProjectPaths& project)
{
    const std::filesystem::path data = userDataFolder();
    return { project.folder,
             project.folder / "datasets.json",
             project.data / "secrets",
             project.folder / "exports" / "modified_datasets",
             data.empty() ? data : data / "sandglass" / "allowed_datasets",
             processEnvironment };
}

std::function<void(const datasets::DatasetSource&)> auditOfSecrets(const ProjectPaths& project)
{
    return [project](const datasets::DatasetSource& source) {
        std::error_code failed; // the audit says what is wrong
        std::filesystem::create_directories(project.audit.parent_path(), failed);
        static_cast<void>(ProjectAudit(project.audit).add(datasets::secretRow(source)));
    };
}

} // namespace sg::workbench
