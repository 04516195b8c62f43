#include "ui/artifacts/artifacts_panel.h"
#include "ui/logs/log_panel.h"
#include "ui/run/run_bar.h"
#include "ui/run/thread_list.h"
#include "ui/selection/selection.h"
#include "ui/sessions/session_panel.h"
#include "ui/shell/dock_layout.h"
#include "ui/shell/main_window.h"
#include "ui/terminal/terminal_panel.h"
#include "ui/timeline/timeline_panel.h"
#include "ui/world/files_panel.h"

#include <QDesktopServices>
#include <QUrl>

#include <algorithm>
#include <utility>

// Artifacts, log and sessions, and the one moment that they show with the other panels.
namespace sg::ui {

void MainWindow::connectArtifacts()
{
    using Panel = ArtifactsPanel;
    connect(&m_clients->artifacts, &ArtifactsClient::artifactsLoaded, this, &MainWindow::showArtifacts);
    connect(&m_clients->artifacts, &ArtifactsClient::artifactsAdded, this, [this](const QString& thread) {
        if (thread == m_selection->thread() || m_artifacts->showsAllThreads())
            loadArtifacts();
    });
    connect(m_artifacts, &Panel::previewRequested, &m_clients->artifacts, &ArtifactsClient::loadPreview);
    connect(m_artifacts, &Panel::pageRequested, &m_clients->artifacts, &ArtifactsClient::loadPage);
    connect(m_artifacts, &Panel::columnsShown, &m_clients->artifacts, &ArtifactsClient::loadColumnFacts);
    connect(&m_clients->artifacts, &ArtifactsClient::columnFactsLoaded, m_artifacts, &Panel::setColumnFacts);
    connect(m_artifacts, &Panel::compareRequested, &m_clients->artifacts, &ArtifactsClient::compareArtifacts);
    connect(m_artifacts, &Panel::thumbnailsWanted, &m_clients->artifacts, &ArtifactsClient::loadThumbnails);
    connect(m_artifacts, &Panel::stageRequested, &m_clients->artifacts, &ArtifactsClient::stageArtifacts);
    connect(m_artifacts, &Panel::stagedReleased, &m_clients->staging, &Staging::release);
    connect(m_artifacts, &Panel::exportRequested, &m_clients->artifacts, &ArtifactsClient::exportArtifacts);
    connect(m_artifacts, &Panel::verifyRequested, &m_clients->artifacts, &ArtifactsClient::verifyArtifacts);
    connect(m_artifacts, &Panel::outsideRequested, &m_clients->artifacts, &ArtifactsClient::openOutside);
    connect(m_artifacts, &Panel::scopeChanged, this, &MainWindow::loadArtifacts);
    connect(m_artifacts, &Panel::momentRequested, this, [this](const ArtifactRow& artifact) {
        m_selection->setThread(artifact.thread);
        m_originWanted = { artifact.thread, artifact.checkpoint };
        showOriginWanted(); // of another thread its history comes first
    });
    connect(&m_clients->history, &HistoryClient::historyLoaded, this, &MainWindow::showOriginWanted);
    connect(&m_clients->history, &HistoryClient::historyExtended, this, &MainWindow::showOriginWanted);
    const auto forget = [this] { m_originWanted.reset(); }; // the user has gone elsewhere
    connect(m_selection, &Selection::threadChanged, this, forget);
    connect(m_selection, &Selection::checkpointChanged, this, forget);
    connect(&m_clients->artifacts, &ArtifactsClient::previewLoaded, m_artifacts, &Panel::setPreview);
    connect(&m_clients->artifacts, &ArtifactsClient::thumbnailLoaded, m_artifacts, &Panel::setThumbnail);
    connect(&m_clients->artifacts, &ArtifactsClient::staged, m_artifacts, &Panel::setStaged);
    connect(&m_clients->artifacts, &ArtifactsClient::exported, m_artifacts, &Panel::setExported);
    connect(&m_clients->artifacts, &ArtifactsClient::verified, m_artifacts, &Panel::setVerified);
    connect(&m_clients->artifacts, &ArtifactsClient::readyOutside, this,
            [](const QString& file) { QDesktopServices::openUrl(QUrl::fromLocalFile(file)); });
    connect(m_log, &LogPanel::momentRequested, this, [this](const LogRow& row) {
        const QString made = m_timeline->afterTask(row.task);
        goTo(made.isEmpty() ? m_timeline->at(row.timeMs) : made);
    });
}

void MainWindow::connectSessions()
{
    using Panel = SessionPanel;
    connect(&m_clients->sessions, &SessionsClient::samplesAdded, m_session, &Panel::addSamples);
    connect(&m_clients->history, &HistoryClient::historyLoaded, this, [this](const HistoryRows& rows) {
        if (rows.thread == m_selection->thread())
            m_session->setTasks(rows.tasks);
    });
    connect(&m_clients->runs, &RunsClient::tasksChanged, this,
            [this](const QString& thread, const std::vector<TaskRow>& changed) {
                if (thread == m_selection->thread())
                    m_session->changeTasks(changed);
            });
    connect(&m_clients->sessions, &SessionsClient::sessionPastLoaded, m_session, &Panel::setPast);
    connect(&m_clients->sessions, &SessionsClient::sessionNoted, m_session, &Panel::addNote);
    connect(&m_clients->sessions, &SessionsClient::processesLoaded, m_session, &Panel::setProcesses);
    connect(&m_clients->sessions, &SessionsClient::cellPrinted, m_session, &Panel::printCell);
    connect(&m_clients->sessions, &SessionsClient::cellEnded, m_session, &Panel::endCell);
    connect(&m_clients->sessions, &SessionsClient::codeCompleted, m_session, &Panel::showCompletion);
    connect(m_session, &Panel::modeRequested, m_runBar, &RunBar::modeRequested);
    connect(m_session, &Panel::stopRequested, &m_clients->sessions, &SessionsClient::stopSession);
    connect(m_session, &Panel::restartRequested, &m_clients->sessions, &SessionsClient::restartSession);
    connect(m_session, &Panel::pauseRequested, &m_clients->sessions, &SessionsClient::pauseSession);
    connect(m_session, &Panel::extendRequested, &m_clients->sessions, &SessionsClient::extendSession);
    connect(m_session, &Panel::limitsRequested, &m_clients->sessions, &SessionsClient::setSessionLimits);
    connect(m_session, &Panel::pastRequested, &m_clients->sessions, &SessionsClient::loadSessionPast);
    connect(m_session, &Panel::processesRequested, &m_clients->sessions, &SessionsClient::loadProcesses);
    connect(m_session, &Panel::cellEntered, &m_clients->sessions, &SessionsClient::runCell);
    connect(m_session, &Panel::cellStopRequested, &m_clients->sessions, &SessionsClient::stopCell);
    connect(m_session, &Panel::completionWanted, &m_clients->sessions, &SessionsClient::completeCode);
    connect(m_terminal, &TerminalPanel::openRequested, &m_clients->sessions, &SessionsClient::openTerminal);
    connect(&m_clients->sessions, &SessionsClient::sessionsChanged, m_terminal, &TerminalPanel::setSessions);
    connect(m_selection, &Selection::threadChanged, m_terminal, &TerminalPanel::setThread);
    connect(m_session, &Panel::momentRequested, this, [this](double time) { goTo(m_timeline->at(time)); });
}

void MainWindow::connectFiles()
{
    using Panel = FilesPanel;
    connect(m_files, &Panel::takeRequested, this,
            [this](const std::vector<WantedFile>& wanted, const QString& folder,
                   const std::shared_ptr<StagedFiles>& files) {
                m_clients->world.takeFiles(m_selection->thread(), m_selection->checkpoint(), m_shownSession,
                                           wanted, folder, files);
            });
    connect(m_files, &Panel::stagedReleased, &m_clients->staging, &Staging::release);
    connect(m_files, &Panel::putRequested, this, [this](const QStringList& files, const QString& folder) {
        m_clients->world.putFiles(m_selection->thread(), m_shownSession, files, folder);
    });
    connect(m_files, &Panel::openRequested, this, [this](const QString& path) {
        m_clients->world.loadSessionText(m_selection->thread(), m_selection->checkpoint(), m_shownSession,
                                         path);
    });
    connect(m_files, &Panel::saveRequested, &m_clients->world, &WorldClient::saveSessionText);
    connect(m_files, &Panel::reloadRequested, this, [this](const SessionText& text) {
        m_clients->world.loadSessionText(text.thread, text.checkpoint, text.session, text.path);
    });
    connect(m_files, &Panel::modifiedChanged, this, &MainWindow::showModified);
    connect(m_files, &Panel::textSaved, this, [this](bool isWell) {
        const auto waiting = std::exchange(m_afterText, {});
        if (!waiting.empty() && !isWell)
            m_docks->raise(m_files); // which says why
        else
            for (const std::function<void()>& next : waiting)
                next();
    });
    connect(&m_clients->world, &WorldClient::sessionTextLoaded, m_files, &Panel::setText);
    connect(&m_clients->world, &WorldClient::sessionTextSaved, m_files, &Panel::setSaved);
    connect(&m_clients->world, &WorldClient::filesPut, m_files, &Panel::setPut);
    connect(&m_clients->world, &WorldClient::filesTaken, m_files, &Panel::setTaken);
    connect(m_files, &Panel::changeRequested, this, [this](const QString& path) {
        m_clients->world.findFileChange(m_selection->thread(), m_selection->checkpoint(), m_shownSession,
                                        path);
    });
    connect(&m_clients->world, &WorldClient::fileChangeFound, this,
            [this](const QString& thread, const QString& path, const QString& checkpoint) {
                if (thread == m_selection->thread() && checkpoint.isEmpty())
                    m_files->setChangeUnknown(path);
                else if (thread == m_selection->thread())
                    goTo(checkpoint);
            });
    connect(m_files, &Panel::liveRequested, this,
            [this] { m_clients->world.loadLiveFiles(m_selection->thread(), m_shownSession); });
    connect(&m_clients->world, &WorldClient::liveFilesLoaded, this, [this](const LiveFiles& files) {
        if (files.thread == m_selection->thread() && files.session == m_shownSession)
            m_files->setLiveFiles(files);
        else
            m_files->lookAgain();
    });
}

void MainWindow::followFiles()
{
    const auto answers = [this](const SessionRow& row) {
        return row.thread == m_selection->thread() && row.part == m_shownSession
            && !row.state.startsWith(QLatin1String("ended")) && row.state != QLatin1String("paused");
    };
    m_files->setLive(m_selection->checkpoint().isEmpty() && std::ranges::any_of(m_sessions, answers));
}

void MainWindow::loadArtifacts()
{
    if (m_artifacts->showsAllThreads())
        m_clients->artifacts.loadArtifacts({});
    else if (m_threads->threads().contains(m_selection->thread()))
        m_clients->artifacts.loadArtifacts(m_selection->thread());
    else
        m_artifacts->clear();
}

void MainWindow::showArtifacts(const std::vector<ArtifactRow>& rows)
{
    const bool isOfAnother =
        !m_artifacts->showsAllThreads() && !rows.empty() && rows.front().thread != m_selection->thread();
    if (isOfAnother) // it was left meanwhile
        return;
    m_artifactRows = rows;
    m_artifacts->setArtifacts(rows);
    if (!m_selection->isAtHead())
        showMoment(false); // which of them were there by then
}

void MainWindow::showOriginWanted()
{
    if (!m_originWanted || m_originWanted->first != m_selection->thread())
        return;
    const QString made = m_timeline->after(m_originWanted->second);
    if (made.isEmpty())
        return; // a later part of the history may have it
    m_originWanted.reset();
    goTo(made);
}

void MainWindow::goTo(const QString& checkpoint)
{
    if (!checkpoint.isEmpty())
        m_selection->setCheckpoint(checkpoint == m_timeline->head() ? QString() : checkpoint);
}

// The checkpoints before that one, on its branch, from which an artifact was made.
QSet<QString> MainWindow::madeBefore(const QString& checkpoint) const
{
    QSet<QString> asked;
    for (const ArtifactRow& artifact : m_artifactRows)
        asked.insert(artifact.checkpoint);
    return m_timeline->passedBefore(checkpoint, asked);
}

void MainWindow::showMoment(bool isChosen)
{
    const QString& checkpoint = m_selection->checkpoint();
    const double time = checkpoint.isEmpty() ? kUnknown : m_timeline->timeOf(checkpoint);
    m_log->setMoment(time, isChosen);
    m_session->setMoment(time);
    if (checkpoint.isEmpty())
        m_artifacts->setMoment(std::nullopt);
    else
        m_artifacts->setMoment(
            ArtifactsPanel::Moment{ madeBefore(checkpoint), m_timeline->stepOf(checkpoint) });
}

} // namespace sg::ui
