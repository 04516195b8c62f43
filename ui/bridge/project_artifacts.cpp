#include "ui/bridge/artifact_query.h"
#include "ui/bridge/project_bridge_impl.h"

#include <QDir>
#include <QPointer>

#include <chrono>

// What panels ask of the project's artifacts.
namespace sg::ui {
namespace {

constexpr auto kInUse = std::chrono::minutes(10); // another program may still read what was dropped on it

} // namespace

void ProjectBridge::loadArtifacts(const QString& thread)
{
    if (!isOpen())
        return;
    m_impl->ask(
        m_impl->readers,
        [workbench = m_impl->workbench, thread] { return readArtifacts(*workbench, thread); },
        [this, asked = ++m_impl->artifactLists](const Answer<std::vector<ArtifactRow>>& answer) {
            if (asked != m_impl->artifactLists)
                return; // a newer question is under way
            if (answer.error.what.isEmpty())
                Q_EMIT artifactsLoaded(answer.value);
            else
                Q_EMIT artifactsFailed(answer.error);
        });
}

template<typename Work>
void ProjectBridge::askPreview(Work work)
{
    if (!isOpen())
        return;
    const quint64 asked = ++m_impl->previews;
    m_impl->ask(
        m_impl->slow,
        // The workbench goes last: the previewer uses it.
        [workbench = m_impl->workbench, previewer = m_impl->previewer, work] { return work(*previewer); },
        [this, asked](const ArtifactPreview& preview) {
            if (asked == m_impl->previews)
                Q_EMIT previewLoaded(preview);
        });
}

void ProjectBridge::loadPreview(const ArtifactRow& artifact)
{
    ++m_impl->columnFacts; // nobody waits for those of the artifact before
    askPreview([artifact](ArtifactPreviewer& previewer) { return previewer.make(artifact); });
}

void ProjectBridge::loadPage(const ArtifactRow& artifact, qint64 row, const TableOrder& order)
{
    askPreview([artifact, row, order](ArtifactPreviewer& previewer) {
        return previewer.page(artifact, row, order);
    });
}

void ProjectBridge::loadColumnFacts(const ArtifactRow& artifact, int columns)
{
    loadFactsOf(artifact, 0, columns, ++m_impl->columnFacts);
}

// One at a time: pages that are asked for meanwhile come between them.
void ProjectBridge::loadFactsOf(const ArtifactRow& artifact, int column, int columns, quint64 asked)
{
    if (!isOpen() || column >= columns || asked != m_impl->columnFacts)
        return;
    m_impl->ask(
        m_impl->slow,
        [workbench = m_impl->workbench, previewer = m_impl->previewer, artifact, column] {
            return previewer->facts(artifact, column);
        },
        [this, artifact, column, columns, asked](const ColumnFacts& facts) {
            if (asked == m_impl->columnFacts)
                Q_EMIT columnFactsLoaded(facts);
            loadFactsOf(artifact, column + 1, columns, asked);
        });
}

void ProjectBridge::compareArtifacts(const ArtifactRow& older, const ArtifactRow& newer)
{
    askPreview([older, newer](ArtifactPreviewer& previewer) { return previewer.compare(older, newer); });
}

void ProjectBridge::loadThumbnails(const std::vector<ArtifactRow>& artifacts)
{
    if (!isOpen())
        return;
    m_impl->pictures.clear(); // what is in sight now comes first
    for (const ArtifactRow& artifact : artifacts)
        m_impl->ask(
            m_impl->pictures, [artifact] { return ArtifactPreviewer::thumbnail(artifact); },
            [this](const ArtifactThumbnail& thumbnail) { Q_EMIT thumbnailLoaded(thumbnail); });
}

void ProjectBridge::stageArtifacts(const std::vector<ArtifactRow>& artifacts,
                                   const std::shared_ptr<StagedFiles>& files)
{
    QString problem = tr("No project is open: nothing was copied.");
    qint64 bytes = 0;
    for (const ArtifactRow& artifact : artifacts)
        bytes += artifact.size;
    const QString folder = isOpen() ? newDragFolder(bytes, problem) : QString();
    if (folder.isEmpty()) {
        files->finish({}, problem);
        Q_EMIT staged(files, { problem, {} });
        return;
    }
    m_impl->stagedFolders << folder;
    files->begin(folder, bytes);
    m_impl->askAlways(
        m_impl->staging,
        [workbench = m_impl->workbench, artifacts, folder, files] {
            const Answer<QStringList> answer = copyArtifacts(*workbench, artifacts, folder, files.get());
            files->finish(answer.value, answer.error.what);
            return answer.error;
        },
        [this, files](const UserError& error) { Q_EMIT staged(files, error); });
}

void ProjectBridge::releaseStaged(const std::shared_ptr<StagedFiles>& files, bool mayBeInUse)
{
    if (!mayBeInUse)
        files->giveUp(); // what is dragged next waits behind it
    m_impl->askAlways(
        m_impl->staging, // behind the copying itself
        [files] { return files->folder(); },
        [this, mayBeInUse](const QString& folder) {
            if (folder.isEmpty())
                return;
            m_impl->stagedFolders.removeAll(folder);
            if (mayBeInUse)
                QTimer::singleShot(kInUse, this, [folder] { QDir(folder).removeRecursively(); });
            else
                QDir(folder).removeRecursively();
        });
}

void ProjectBridge::exportArtifacts(const std::vector<ArtifactRow>& artifacts, const QString& folder)
{
    if (!isOpen())
        return;
    m_impl->ask(
        m_impl->slow,
        [workbench = m_impl->workbench, artifacts, folder] {
            return copyArtifacts(*workbench, artifacts, folder);
        },
        [this](const Answer<QStringList>& answer) { Q_EMIT exported(answer.value, answer.error); });
}

void ProjectBridge::verifyArtifacts(const std::vector<ArtifactRow>& artifacts)
{
    if (!isOpen())
        return;
    m_impl->ask(
        m_impl->slow,
        [workbench = m_impl->workbench, artifacts] { return sg::ui::verifyArtifacts(*workbench, artifacts); },
        [this](const Answer<int>& answer) { Q_EMIT verified(answer.value, answer.error); });
}

void ProjectBridge::openOutside(const ArtifactRow& artifact)
{
    QString problem;
    const QString folder = isOpen() ? newDragFolder(artifact.size, problem) : QString();
    if (folder.isEmpty())
        return;
    m_impl->stagedFolders << folder; // for as long as the window is open
    m_impl->ask(
        m_impl->slow,
        [workbench = m_impl->workbench, artifact, folder] {
            return copyArtifacts(*workbench, { artifact }, folder);
        },
        [this](const Answer<QStringList>& answer) {
            if (answer.error.what.isEmpty() && !answer.value.isEmpty())
                Q_EMIT readyOutside(answer.value.front());
            else
                Q_EMIT queryFailed(answer.error);
        });
}

} // namespace sg::ui
