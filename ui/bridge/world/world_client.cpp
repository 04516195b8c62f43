#include "ui/bridge/world/world_client.h"

#include "core/projects/dataset_files.h"
#include "core/workbench/workbench.h"
#include "ui/bridge/rows/row_conversion.h"
#include "ui/bridge/staging/staging.h"
#include "ui/bridge/world/live_files_query.h"
#include "ui/bridge/world/session_file_query.h"
#include "ui/bridge/world/world_query.h"

namespace sg::ui {

WorldClient::WorldClient(OpenProject& project, Staging& staging)
    : Client(project)
    , m_staging(staging)
    , m_world(*this)
    , m_text(*this)
{
}

void WorldClient::loadWorld(const WorldWanted& wanted)
{
    m_world.ask(
        slow(),
        [wanted](workbench::Workbench& workbench, const std::stop_token&) {
            return readWorld(workbench, wanted);
        },
        [this](const WorldView& world) { Q_EMIT worldLoaded(world); });
}

void WorldClient::loadLiveFiles(const QString& thread, const QString& session)
{
    ask(
        slow(),
        [thread, session](workbench::Workbench& workbench) {
            return readLiveFiles(workbench, thread, session);
        },
        [this](const LiveFiles& files) { Q_EMIT liveFilesLoaded(files); });
}

void WorldClient::putFiles(const QString& thread, const QString& session, const QStringList& files,
                           const QString& folder)
{
    ask(
        slow(),
        [thread, session, files, folder](workbench::Workbench& workbench) {
            return putSessionFiles(workbench, thread, files, folder, session);
        },
        [this](const Answer<QStringList>& answer) { Q_EMIT filesPut(answer.value, answer.error); });
}

void WorldClient::addDataset(const QString& file)
{
    ask(
        slow(),
        [file](workbench::Workbench& workbench) -> Answer<QString> {
            auto name = projects::addDatasetFile(workbench.project(), file.toStdString());
            if (!name)
                return { {}, userError(name.error()) };
            return { QString::fromStdString(*name), {} };
        },
        [this](const Answer<QString>& answer) { Q_EMIT datasetAdded(answer.value, answer.error); });
}

void WorldClient::takeFiles(const QString& thread, const QString& checkpoint, const QString& session,
                            const std::vector<WantedFile>& wanted, const QString& folder,
                            const std::shared_ptr<StagedFiles>& files)
{
    QString problem = tr("No project is open: nothing was copied.");
    qint64 bytes = 0;
    for (const WantedFile& file : wanted)
        bytes = bytes < 0 || file.size < 0 ? -1 : bytes + file.size;
    const QString target = !isOpen() ? QString()
        : folder.isEmpty()           ? m_staging.newFolder(bytes, problem)
                                     : folder;
    if (target.isEmpty()) {
        files->finish({}, problem);
        Q_EMIT filesTaken(files, { problem, {} });
        return;
    }
    files->begin(folder.isEmpty() ? target : QString(), bytes); // only our own folder may be removed
    m_staging.copy(
        files,
        [wanted = SessionFilesWanted{ thread, checkpoint, wanted, target, session },
         files](workbench::Workbench& workbench) { return takeSessionFiles(workbench, wanted, files.get()); },
        [this, files](const UserError& error) { Q_EMIT filesTaken(files, error); });
}

void WorldClient::findFileChange(const QString& thread, const QString& checkpoint, const QString& session,
                                 const QString& path)
{
    ask(
        slow(),
        [thread, checkpoint, session, path](workbench::Workbench& workbench) {
            return checkpointThatChanged(workbench, thread, checkpoint, path, session);
        },
        [this, thread, path](const QString& found) { Q_EMIT fileChangeFound(thread, path, found); });
}

void WorldClient::loadSessionText(const QString& thread, const QString& checkpoint, const QString& session,
                                  const QString& path)
{
    m_text.ask(
        readers(),
        [thread, checkpoint, session, path](workbench::Workbench& workbench) {
            return readSessionText(workbench, thread, checkpoint, path, session);
        },
        [this](const SessionText& text) { Q_EMIT sessionTextLoaded(text); });
}

void WorldClient::saveSessionText(const SessionText& before, const QString& text)
{
    ask(
        access().pools().verbs,
        [before, text](workbench::Workbench& workbench) {
            return ui::saveSessionText(workbench, before, text);
        },
        [this](const SessionTextSaved& saved) {
            Q_EMIT sessionTextSaved(saved.now, saved.error, saved.isConflict);
        });
}

} // namespace sg::ui
