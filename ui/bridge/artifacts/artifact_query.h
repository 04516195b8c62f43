#pragma once

#include "core/workbench/workbench.h"
#include "ui/bridge/rows/answer.h"
#include "ui/bridge/staging/staged_files.h"

// Blocking questions to the store of artifacts; they run on the bridge's worker threads.
namespace sg::ui {

Answer<std::vector<ArtifactRow>> readArtifacts(workbench::Workbench& workbench, const QString& thread);
// Makes verified copies under the rows' names with their own times; the error names those that failed. With
// `staged` it reports progress, and stops when the files are given up.
Answer<QStringList> copyArtifacts(workbench::Workbench& workbench, const std::vector<ArtifactRow>& artifacts,
                                  const QString& folder, StagedFiles* staged = nullptr);
// Counts the contents that match their hashes; the error names the others.
Answer<int> verifyArtifacts(workbench::Workbench& workbench, const std::vector<ArtifactRow>& artifacts);

} // namespace sg::ui
