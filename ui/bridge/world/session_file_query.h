#pragma once

#include "core/sessions/runner/runner_link.h"
#include "core/sessions/snapshot.h"
#include "core/workbench/workbench.h"
#include "ui/bridge/rows/answer.h"
#include "ui/bridge/rows/session_rows.h"
#include "ui/bridge/staging/staged_files.h"

// Files of sessions: of the live one, or as they were at a checkpoint. Blocking: run on the bridge's worker
// threads.
namespace sg::ui {

// Null: no session of the thread lives, or it is paused and could not answer.
std::shared_ptr<sessions::RunnerLink> linkToSession(workbench::Workbench& workbench, const QString& thread,
                                                    const QString& session = {});
// What is kept of that session at a checkpoint; empty: the newest.
Result<sessions::Snapshot> keptAt(workbench::Workbench& workbench, const QString& thread,
                                  const QString& checkpoint, const QString& session = {});

struct SessionFilesWanted {
    QString thread;
    QString checkpoint; // empty: the live session, or the newest where there is none
    std::vector<WantedFile> files;
    QString folder;
    QString session = {}; // of the thread: empty its own, "node NAME", "run"
};

// Where they are inside now; the error names those that could not be put there.
Answer<QStringList> putSessionFiles(workbench::Workbench& workbench, const QString& thread,
                                    const QStringList& files, const QString& folder,
                                    const QString& session = {});
// What was chosen, as it is called here: files, and folders as wholes. The error names what could not be
// taken; it stops where `staged` is given up.
Answer<QStringList> takeSessionFiles(workbench::Workbench& workbench, const SessionFilesWanted& wanted,
                                     StagedFiles* staged = nullptr);

SessionText readSessionText(workbench::Workbench& workbench, const QString& thread, const QString& checkpoint,
                            const QString& path, const QString& session = {});
struct SessionTextSaved {
    SessionText now; // as it stands there, where it was saved
    UserError error;
    bool isConflict = false; // it is not what was read any more; nothing was written
};
// `before`: what was read; with an empty hash whatever stands there is written over.
SessionTextSaved saveSessionText(workbench::Workbench& workbench, const SessionText& before,
                                 const QString& text);

} // namespace sg::ui
