#pragma once

#include "ui/bridge/open/client.h"
#include "ui/bridge/rows/session_rows.h"
#include "ui/bridge/rows/world_rows.h"
#include "ui/bridge/staging/staged_files.h"

#include <memory>
#include <vector>

namespace sg::ui {

class Staging;

// The content of a session (variables, files, texts), now or at a checkpoint, and copies into it and out of
// it. `session` is empty for the thread's own, or "node NAME", or "run".
class WorldClient : public Client {
    Q_OBJECT
public:
    WorldClient(OpenProject& project, Staging& staging);

    void loadWorld(const WorldWanted& wanted); // the newest request wins
    void loadLiveFiles(const QString& thread, const QString& session); // of a running session
    // Copies local files into a folder of a live session; an empty folder means /session itself.
    void putFiles(const QString& thread, const QString& session, const QStringList& files,
                  const QString& folder);
    void addDataset(const QString& file); // copies it to the project's data, unless it lies there
    // Copies files of the live session out or, if `checkpoint` is not empty or no session lives, those of a
    // checkpoint. An empty `folder` means a new one that is removed later. Each request is answered once.
    void takeFiles(const QString& thread, const QString& checkpoint, const QString& session,
                   const std::vector<WantedFile>& wanted, const QString& folder,
                   const std::shared_ptr<StagedFiles>& files);
    // Finds the checkpoint that gave the file its content at `checkpoint`.
    void findFileChange(const QString& thread, const QString& checkpoint, const QString& session,
                        const QString& path);
    void loadSessionText(const QString& thread, const QString& checkpoint, const QString& session,
                         const QString& path); // newest request wins
    // `before` is the loaded text; with an empty hash, any content is overwritten.
    void saveSessionText(const SessionText& before, const QString& text);

Q_SIGNALS:
    void worldLoaded(const sg::ui::WorldView& world);
    void liveFilesLoaded(const sg::ui::LiveFiles& files);
    void filesPut(const QStringList& paths, const sg::ui::UserError& error);
    void datasetAdded(const QString& name, const sg::ui::UserError& error); // beneath the folder of data
    void filesTaken(const std::shared_ptr<sg::ui::StagedFiles>& files, const sg::ui::UserError& error);
    void fileChangeFound(const QString& thread, const QString& path, const QString& checkpoint);
    void sessionTextLoaded(const sg::ui::SessionText& text);
    void sessionTextSaved(const sg::ui::SessionText& now, const sg::ui::UserError& error, bool conflict);

private:
    Staging& m_staging;
    Turns m_world; // describing names can be slow, because a copy of the interpreter does it
    Latest m_text;
};

} // namespace sg::ui
