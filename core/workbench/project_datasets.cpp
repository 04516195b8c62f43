#include "core/workbench/project_datasets.h"

#include "core/workbench/runtime.h"

namespace sg::workbench {

datasets::DatasetFolders datasetFolders(const ProjectPaths& project)
{
    const std::filesystem::path data = userDataFolder();
    return { project.folder, project.folder / "datasets.json", project.data / "secrets",
             project.folder / "exports" / "modified_datasets",
             data.empty() ? data : data / "sandglass" / "allowed_datasets" };
}

} // namespace sg::workbench
