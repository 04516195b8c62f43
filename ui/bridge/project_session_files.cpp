#include "ui/bridge/artifact_query.h"
#include "ui/bridge/live_files_query.h"
#include "ui/bridge/project_bridge_impl.h"
#include "ui/bridge/session_file_query.h"
#include "ui/bridge/world_query.h"

// Files into a thread's session and out of it, and texts to be looked at and changed there.
namespace sg::ui {

void ProjectBridge::putFiles(const QString& thread, const QString& session, const QStringList& files,
                             const QString& folder)
{
    if (!isOpen())
        return;
    m_impl->ask(
        m_impl->slow,
        [workbench = m_impl->workbench, thread, session, files, folder] {
            return putSessionFiles(*workbench, thread, files, folder, session);
        },
        [this](const Answer<QStringList>& answer) { Q_EMIT filesPut(answer.value, answer.error); });
}

void ProjectBridge::findFileChange(const QString& thread, const QString& checkpoint, const QString& session,
                                   const QString& path)
{
    if (!isOpen())
        return;
    m_impl->ask(
        m_impl->slow,
        [workbench = m_impl->workbench, thread, checkpoint, session, path] {
            return checkpointThatChanged(*workbench, thread, checkpoint, path, session);
        },
        [this, thread, path](const QString& found) { Q_EMIT fileChangeFound(thread, path, found); });
}

void ProjectBridge::loadLiveFiles(const QString& thread, const QString& session)
{
    if (!isOpen())
        return;
    m_impl->ask(
        m_impl->slow,
        [workbench = m_impl->workbench, thread, session] {
            return readLiveFiles(*workbench, thread, session);
        },
        [this](const LiveFiles& files) { Q_EMIT liveFilesLoaded(files); });
}

void ProjectBridge::takeFiles(const QString& thread, const QString& checkpoint, const QString& session,
                              const std::vector<WantedFile>& wanted, const QString& folder,
                              const std::shared_ptr<StagedFiles>& files)
{
    QString problem = tr("No project is open: nothing was copied.");
    qint64 bytes = 0;
    for (const WantedFile& file : wanted)
        bytes = bytes < 0 || file.size < 0 ? -1 : bytes + file.size;
    const QString target = !isOpen() ? QString() : folder.isEmpty() ? newDragFolder(bytes, problem) : folder;
    if (target.isEmpty()) {
        files->finish({}, problem);
        Q_EMIT filesTaken(files, { problem, {} });
        return;
    }
    if (folder.isEmpty())
        m_impl->stagedFolders << target;
    files->begin(folder.isEmpty() ? target : QString(), bytes); // another's folder is never ours to remove
    m_impl->askAlways(
        m_impl->staging,
        [workbench = m_impl->workbench,
         wanted = SessionFilesWanted{ thread, checkpoint, wanted, target, session }, files] {
            const Answer<QStringList> answer = takeSessionFiles(*workbench, wanted, files.get());
            files->finish(answer.value, answer.error.what);
            return answer.error;
        },
        [this, files](const UserError& error) { Q_EMIT filesTaken(files, error); });
}

void ProjectBridge::loadSessionText(const QString& thread, const QString& checkpoint, const QString& session,
                                    const QString& path)
{
    if (!isOpen())
        return;
    const quint64 asked = ++m_impl->texts;
    m_impl->ask(
        m_impl->readers,
        [workbench = m_impl->workbench, thread, checkpoint, session, path] {
            return readSessionText(*workbench, thread, checkpoint, path, session);
        },
        [this, asked](const SessionText& text) {
            if (asked == m_impl->texts)
                Q_EMIT sessionTextLoaded(text);
        });
}

void ProjectBridge::saveSessionText(const SessionText& before, const QString& text)
{
    if (!isOpen())
        return;
    m_impl->ask(
        m_impl->verbs,
        [workbench = m_impl->workbench, before, text] {
            return ui::saveSessionText(*workbench, before, text);
        },
        [this](const SessionTextSaved& saved) {
            Q_EMIT sessionTextSaved(saved.now, saved.error, saved.isConflict);
        });
}

} // namespace sg::ui
