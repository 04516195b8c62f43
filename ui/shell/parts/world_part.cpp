#include "ui/shell/parts/world_part.h"

#include "ui/bridge/clients.h"
#include "ui/code/code_document.h"
#include "ui/code/code_editor.h"
#include "ui/documents/document_area.h"
#include "ui/selection/client_feed.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"
#include "ui/selection/thread_book.h"
#include "ui/shell/dock_layout.h"
#include "ui/state/state_panel.h"
#include "ui/world/files_panel.h"
#include "ui/world/variables_panel.h"

#include <algorithm>
#include <utility>

namespace sg::ui {
namespace {

constexpr int kCountSoonMs = 400;

bool hasChanged(const WorldFileRow& file)
{
    return file.type != WorldFileRow::Type::Folder && file.change != WorldChange::Same
        && file.change != WorldChange::Unknown;
}

} // namespace

WorldPart::WorldPart(const WindowParts& parts, VariablesPanel& variables, FilesPanel& panel,
                     StatePanel& state, CodeEditor& code)
    : WindowPart(parts)
    , m_variables(&variables)
    , m_files(&panel)
    , m_code(&code)
{
    m_countSoon.setSingleShot(true);
    m_countSoon.setInterval(kCountSoonMs);
    connect(&m_countSoon, &QTimer::timeout, this, &WorldPart::ask);
    connect(&m_clients->world, &WorldClient::worldLoaded, this, [this](const WorldView& world) {
        if (world.thread != m_selection->thread())
            return;
        m_shownSession = world.session;
        m_variables->setWorld(world);
        m_code->setSessionValues({ world.step, world.variables });
        m_files->setWorld(world);
        showCount(static_cast<int>(std::ranges::count_if(world.files, hasChanged)));
        followFiles(); // of that session
    });
    const auto choose = [this](const QString& session) {
        m_worldSession = session;
        show();
    };
    connect(&state, &StatePanel::worldRequested, this, [this] { m_docks->raise(m_variables); });
    connect(m_variables, &VariablesPanel::sessionChosen, this, choose);
    connect(m_files, &FilesPanel::sessionChosen, this, choose);
    connect(m_docks, &DockLayout::cameToBeSeen, this, [this](const QWidget* seen) {
        if (seen == m_variables || seen == m_files || seen == m_parts.inspector)
            show();
    });
    connect(m_parts.documents, &DocumentArea::cameToBeSeen, this, [this](const QWidget* seen) {
        if (qobject_cast<const CodeDocument*>(seen) != nullptr)
            show();
    });
    connect(&m_clients->sessions, &SessionsClient::sessionsChanged, this, &WorldPart::setSessions);
    connect(m_selection, &Selection::threadChanged, this, [this] {
        clear();
        show();
    });
    connect(m_selection, &Selection::checkpointChanged, this, &WorldPart::show);
    connect(m_selection, &Selection::baseChanged, this, &WorldPart::show);
    connect(m_parts.feed, &ClientFeed::readsAgain, this, &WorldPart::show);
    connect(m_history, &ShownHistory::wentOn, this, [this] {
        if (m_selection->isAtHead())
            show();
    });
    connect(&m_clients->runs, &RunsClient::runFinished, this, [this](const QString& thread) {
        if (thread == m_selection->thread())
            show();
    });
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
                    m_history->goTo(checkpoint);
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

void WorldPart::followFiles()
{
    const auto answers = [this](const SessionRow& row) {
        return row.thread == m_selection->thread()
            && QString::fromStdString(row.part.text()) == m_shownSession && !row.state.hasEnded()
            && !row.state.is(sessions::SessionState::Kind::Paused);
    };
    m_files->setLive(m_selection->checkpoint().isEmpty() && std::ranges::any_of(m_sessions, answers));
}

void WorldPart::show()
{
    followFiles();
    const QList<QWidget*> seen = m_parts.documents->seen();
    const bool codeAsks = (m_docks->isSeen(m_parts.inspector) && m_code->hasCode())
        || std::ranges::any_of(seen, [](const QWidget* each) {
                              return qobject_cast<const CodeDocument*>(each) != nullptr;
                          });
    if (codeAsks || m_docks->isSeen(m_variables) || m_docks->isSeen(m_files))
        ask();
    else
        m_countSoon.start();
}

void WorldPart::ask()
{
    m_countSoon.stop();
    if (m_book->contains(m_selection->thread())) {
        m_clients->world.loadWorld(
            { m_selection->thread(), m_selection->checkpoint(), m_worldSession, m_selection->base() });
        return;
    }
    m_variables->clear();
    m_files->clear();
    showCount(0);
}

void WorldPart::showCount(int changed)
{
    m_docks->setCount(m_files, changed, Badge::Kind::Quiet);
}

// A text of a session, which may be gone: then it stays unsaved.
void WorldPart::saveTextThen(const std::function<void()>& next)
{
    if (m_files->isModified()) {
        m_afterText.push_back(next ? next : std::function<void()>([] {}));
        m_files->saveText();
    } else if (next) {
        next();
    }
}

void WorldPart::setSessions(const std::vector<SessionRow>& sessions)
{
    m_sessions = sessions;
    followFiles();
}

void WorldPart::clear()
{
    m_variables->clear();
    m_files->clear();
    m_code->setSessionValues({});
    m_shownSession.clear();
    showCount(0);
}

} // namespace sg::ui
