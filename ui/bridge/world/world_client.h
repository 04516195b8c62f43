#pragma once

#include "ui/bridge/open/client.h"
#include "ui/bridge/rows/session_rows.h"
#include "ui/bridge/rows/world_rows.h"
#include "ui/bridge/staging/staged_files.h"

#include <memory>
#include <vector>

namespace sg::ui {

class Staging;

// What a session holds, now or at a checkpoint: names, files, texts; and files into it and out of it.
// `session`: of the thread, empty its own, "node NAME", "run".
class WorldClient : public Client {
    Q_OBJECT
public:
    WorldClient(OpenProject& project, Staging& staging);

    void loadWorld(const WorldWanted& wanted); // the newest request wins
    void loadLiveFiles(const QString& thread, const QString& session); // of one that runs
    // Copies local files into a folder of a live session (beneath /session; empty: there itself).
    void putFiles(const QString& thread, const QString& session, const QStringList& files,
                  const QString& folder);
    // Copies files of a session out: of the live one, or as they were at a checkpoint (not empty, or where
    // none lives). `folder`: empty for a fresh one that goes again. Each request is answered once.
    void takeFiles(const QString& thread, const QString& checkpoint, const QString& session,
                   const std::vector<WantedFile>& wanted, const QString& folder,
                   const std::shared_ptr<StagedFiles>& files);
    // The checkpoint from which a file of the session stands as it does at that one.
    void findFileChange(const QString& thread, const QString& checkpoint, const QString& session,
                        const QString& path);
    void loadSessionText(const QString& thread, const QString& checkpoint, const QString& session,
                         const QString& path); // newest request wins
    // `before`: what was loaded; with an empty hash whatever stands there now is written over.
    void saveSessionText(const SessionText& before, const QString& text);

Q_SIGNALS:
    void worldLoaded(const sg::ui::WorldView& world);
    void liveFilesLoaded(const sg::ui::LiveFiles& files);
    void filesPut(const QStringList& paths, const sg::ui::UserError& error);
    void filesTaken(const std::shared_ptr<sg::ui::StagedFiles>& files, const sg::ui::UserError& error);
    void fileChangeFound(const QString& thread, const QString& path, const QString& checkpoint);
    void sessionTextLoaded(const sg::ui::SessionText& text);
    void sessionTextSaved(const sg::ui::SessionText& now, const sg::ui::UserError& error, bool conflict);

private:
    Staging& m_staging;
    Turns m_world; // a copy of an interpreter may be slow to describe its names
    Latest m_text;
};

} // namespace sg::ui
