#include "ui/bridge/project_bridge_impl.h"

#include <QDir>
#include <QStandardPaths>

// What panels ask of the open project.
namespace sg::ui {
namespace {

constexpr int kFirstHistory = 1500; // checkpoints that are read before anything is shown
constexpr int kWholeHistory = 100'000; // the newest; more would fill the memory

} // namespace

void ProjectBridge::refreshThreads()
{
    if (!isOpen())
        return;
    m_impl->ask(
        m_impl->readers, [workbench = m_impl->workbench] { return readThreads(*workbench); },
        [this](const Answer<std::vector<ThreadRow>>& answer) {
            if (answer.error.what.isEmpty())
                Q_EMIT threadsLoaded(answer.value);
            else
                Q_EMIT queryFailed(answer.error);
        });
}

void ProjectBridge::refreshSessions()
{
    if (!isOpen())
        return;
    m_impl->ask(
        m_impl->readers, [workbench = m_impl->workbench] { return readSessions(*workbench); },
        [this](const std::vector<SessionRow>& rows) { Q_EMIT sessionsChanged(rows); });
}

// The newest checkpoints at once, all of a long history when they are read.
void ProjectBridge::loadHistory(const QString& thread)
{
    if (!isOpen())
        return;
    const quint64 asked = ++m_impl->histories;
    const auto read = [this, thread, asked](QThreadPool& pool, int limit, auto&& after) {
        m_impl->ask(
            pool,
            [workbench = m_impl->workbench, thread, limit] { return readHistory(*workbench, thread, limit); },
            [this, asked, after](const Answer<HistoryRows>& answer) {
                if (asked != m_impl->histories)
                    return; // a newer question is under way
                if (!answer.error.what.isEmpty()) {
                    Q_EMIT queryFailed(answer.error);
                    return;
                }
                Q_EMIT historyLoaded(answer.value);
                after(answer.value);
            });
    };
    read(m_impl->readers, kFirstHistory, [this, read](const HistoryRows& rows) {
        if (static_cast<int>(rows.checkpoints.size()) >= kFirstHistory)
            read(m_impl->slow, kWholeHistory, [](const HistoryRows&) {});
    });
}

void ProjectBridge::loadState(const QString& thread, const QString& checkpoint, const QString& base)
{
    if (!isOpen())
        return;
    const quint64 asked = ++m_impl->states;
    m_impl->ask(
        m_impl->readers,
        [workbench = m_impl->workbench, thread, checkpoint, base] {
            return readState(*workbench, thread, checkpoint, base);
        },
        [this, asked](const Answer<StateView>& answer) {
            if (asked != m_impl->states)
                return; // a newer question is under way
            if (answer.error.what.isEmpty())
                Q_EMIT stateLoaded(answer.value);
            else
                Q_EMIT queryFailed(answer.error);
        });
}

void ProjectBridge::loadWorld(const QString& thread, const QString& checkpoint)
{
    if (!isOpen())
        return;
    if (m_impl->readsWorld) {
        m_impl->nextWorld = { thread, checkpoint };
        return;
    }
    m_impl->readsWorld = true;
    m_impl->askAlways(
        m_impl->slow,
        [workbench = m_impl->workbench, thread, checkpoint] {
            return readWorld(*workbench, thread, checkpoint);
        },
        [this, asked = m_impl->generation](const WorldView& world) {
            m_impl->readsWorld = false;
            const auto next = std::exchange(m_impl->nextWorld, std::nullopt);
            if (next)
                loadWorld(next->first, next->second);
            else if (asked == m_impl->generation)
                Q_EMIT worldLoaded(world);
        });
}

void ProjectBridge::loadLog(const QString& thread)
{
    if (!isOpen())
        return;
    m_impl->ask(
        m_impl->readers, [workbench = m_impl->workbench, thread] { return readLog(*workbench, thread); },
        [this, thread](const Answer<std::vector<LogRow>>& answer) {
            if (answer.error.what.isEmpty())
                Q_EMIT logLoaded(thread, answer.value);
            else
                Q_EMIT queryFailed(answer.error);
        });
}

void ProjectBridge::loadArtifacts(const QString& thread)
{
    if (!isOpen())
        return;
    m_impl->ask(
        m_impl->readers,
        [workbench = m_impl->workbench, thread] { return readArtifacts(*workbench, thread); },
        [this](const Answer<std::vector<ArtifactRow>>& answer) {
            if (answer.error.what.isEmpty())
                Q_EMIT artifactsLoaded(answer.value);
            else
                Q_EMIT queryFailed(answer.error);
        });
}

void ProjectBridge::loadPreview(const ArtifactRow& artifact)
{
    if (!isOpen())
        return;
    const quint64 asked = ++m_impl->previews;
    m_impl->ask(
        m_impl->slow,
        [workbench = m_impl->workbench, previewer = m_impl->previewer, artifact] {
            return previewer->make(artifact);
        },
        [this, asked](const ArtifactPreview& preview) {
            if (asked == m_impl->previews)
                Q_EMIT previewLoaded(preview);
        });
}

void ProjectBridge::stageArtifacts(const std::vector<ArtifactRow>& artifacts)
{
    if (!isOpen()) {
        Q_EMIT staged({}, { tr("No project is open: nothing was copied."), {} });
        return;
    }
    QString base = QStandardPaths::writableLocation(QStandardPaths::RuntimeLocation);
    if (base.isEmpty())
        base = QDir::tempPath();
    auto folder = std::make_unique<QTemporaryDir>(base + QStringLiteral("/sandglass-drag-XXXXXX"));
    if (!folder->isValid()) {
        Q_EMIT staged(
            {},
            { tr("%1: no folder for the copies could be made there. Free some space, or use Export.")
                  .arg(folder->errorString()),
              {} });
        return;
    }
    const QString path = folder->path();
    m_impl->drags.push_back(std::move(folder));
    m_impl->askAlways(
        m_impl->staging,
        [workbench = m_impl->workbench, artifacts, path] {
            return copyArtifacts(*workbench, artifacts, path);
        },
        [this](const Answer<QStringList>& answer) { Q_EMIT staged(answer.value, answer.error); });
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

} // namespace sg::ui
