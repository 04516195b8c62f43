#pragma once

#include "core/sessions/runner/runner_link.h"
#include "core/sessions/snapshot.h"
#include "core/workbench/workbench.h"
#include "ui/bridge/rows/answer.h"
#include "ui/bridge/rows/session_rows.h"
#include "ui/bridge/staging/staged_files.h"

// Files of sessions, of the live one or as they were at a checkpoint. Blocking, on the bridge's worker
// threads.
namespace sg::ui {

// Null if no session of the thread lives, or if it is paused and cannot answer.
std::shared_ptr<sessions::RunnerLink> linkToSession(workbench::Workbench& workbench, const QString& thread,
                                                    const QString& session = {});
// The session's snapshot at a checkpoint; empty means the newest.
Result<sessions::Snapshot> keptAt(workbench::Workbench& workbench, const QString& thread,
                                  const QString& checkpoint, const QString& session = {});

struct SessionFilesWanted {
    QString thread;
    QString checkpoint; // empty for the live session, or the newest checkpoint if there is none
    std::vector<WantedFile> files;
    QString folder;
    QString session = {}; // of the thread: empty for its own, "node NAME", "run"
};

// Copies files into a session and returns their paths there; the error names those that failed.
Answer<QStringList> putSessionFiles(workbench::Workbench& workbench, const QString& thread,
                                    const QStringList& files, const QString& folder,
                                    const QString& session = {});
// Copies files and whole folders out and returns their names here. The error names those that failed; it
// stops when `staged` is given up.
Answer<QStringList> takeSessionFiles(workbench::Workbench& workbench, const SessionFilesWanted& wanted,
                                     StagedFiles* staged = nullptr);

SessionText readSessionText(workbench::Workbench& workbench, const QString& thread, const QString& checkpoint,
                            const QString& path, const QString& session = {});
struct SessionTextSaved {
    SessionText now; // as it was saved
    UserError error;
    bool isConflict = false; // the file has changed since it was read; nothing was written
};
// `before` is the text as it was read; with an empty hash, any content is overwritten.
SessionTextSaved saveSessionText(workbench::Workbench& workbench, const SessionText& before,
                                 const QString& text);

} // namespace sg::ui
