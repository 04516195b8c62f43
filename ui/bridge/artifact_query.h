#pragma once

#include "ui/bridge/project_query.h"

// What the bridge asks the store of artifacts, blocking: run on its worker threads.
namespace sg::ui {

Answer<std::vector<ArtifactRow>> readArtifacts(workbench::Workbench& workbench, const QString& thread);
// Verified copies under the rows' names, with their own times. What was copied before an error stays.
Answer<QStringList> copyArtifacts(workbench::Workbench& workbench, const std::vector<ArtifactRow>& artifacts,
                                  const QString& folder);
// How many contents are what their hashes say; the error names those that are not.
Answer<int> verifyArtifacts(workbench::Workbench& workbench, const std::vector<ArtifactRow>& artifacts);

// Where copies for drags lie: in the session's own folder, else the temporary one. Mode 0700.
QString newDragFolder(QString& problem);
// Those that a program left behind more than a day ago.
void removeOldDragFolders();

} // namespace sg::ui
