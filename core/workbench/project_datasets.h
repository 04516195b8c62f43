#pragma once

#include "core/datasets/dataset_desk.h"
#include "core/workbench/project.h"

#include <functional>

namespace sg::workbench {

// Where a project and this machine's user keep what datasets need.
datasets::DatasetFolders datasetFolders(const ProjectPaths& project);

// Writes a row of the project's audit for each secret that a provider is given, for those who open no
// workbench.
std::function<void(const datasets::DatasetSource&)> auditOfSecrets(const ProjectPaths& project);

} // namespace sg::workbench
