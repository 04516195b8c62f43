#pragma once

#include "ui/bridge/project_query.h"
#include "ui/bridge/staged_files.h"

// What the bridge asks the store of artifacts, blocking: run on its worker threads.
namespace sg::ui {

Answer<std::vector<ArtifactRow>> readArtifacts(workbench::Workbench& workbench, const QString& thread);
// Verified copies under the rows' names, with their own times; the error names those that could not be made.
// With `staged` it tells how far it is, and stops where that is given up.
Answer<QStringList> copyArtifacts(workbench::Workbench& workbench, const std::vector<ArtifactRow>& artifacts,
                                  const QString& folder, StagedFiles* staged = nullptr);
// How many contents are what their hashes say; the error names those that are not.
Answer<int> verifyArtifacts(workbench::Workbench& workbench, const std::vector<ArtifactRow>& artifacts);

// "2 of 5 files were not copied: a.png: …"; nothing where all were.
UserError notCopied(const QStringList& problems, qsizetype files);

// Where copies for drags lie, mode 0700: in the login's own folder, which is small and in memory, much or
// what is not known (-1) in the cache.
QString newDragFolder(qint64 bytes, QString& problem);
// Those that a program left behind more than a day ago.
void removeOldDragFolders();

} // namespace sg::ui
