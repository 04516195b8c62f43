#pragma once

#include "core/datasets/dataset_desk.h"
#include "core/workbench/project.h"

namespace sg::workbench {

// Where a project and this machine's user keep what datasets need.
datasets::DatasetFolders datasetFolders(const ProjectPaths& project);

} // namespace sg::workbench
