#pragma once

#include "core/workbench/workbench.h"
#include "ui/bridge/rows/answer.h"
#include "ui/bridge/staging/staged_files.h"

// What the bridge asks the store of artifacts, blocking: run on its worker threads.
namespace sg::ui {

Answer<std::vector<ArtifactRow>> readArtifacts(workbench::Workbench& workbench, const QString& thread);
// Verified copies under the rows' names, with their own times; the error names those that could not be made.
// With `staged` it tells how far it is, and stops where that is given up.
Answer<QStringList> copyArtifacts(workbench::Workbench& workbench, const std::vector<ArtifactRow>& artifacts,
                                  const QString& folder, StagedFiles* staged = nullptr);
// How many contents are what their hashes say; the error names those that are not.
Answer<int> verifyArtifacts(workbench::Workbench& workbench, const std::vector<ArtifactRow>& artifacts);

} // namespace sg::ui
