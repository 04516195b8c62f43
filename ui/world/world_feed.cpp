#include "ui/world/world_feed.h"

#include "ui/bridge/clients.h"
#include "ui/selection/client_feed.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"
#include "ui/selection/thread_book.h"
#include "ui/widgets/sight.h"
#include "ui/world/files_panel.h"

#include <QPointer>

#include <algorithm>

namespace sg::ui {
namespace {

constexpr int kCountSoonMs = 400;

// Programs keep what they like in hidden folders such as .cache: nobody looks for a change there.
bool isHidden(const WorldFileRow& file)
{
    return file.path.startsWith(QLatin1Char('.')) || file.path.contains(QLatin1String("/."));
}

bool hasChanged(const WorldFileRow& file)
{
    return !isHidden(file) && file.type != WorldFileRow::Type::Folder && file.change != WorldChange::Same
        && file.change != WorldChange::Unknown;
}

} // namespace

WorldFeed::WorldFeed(const PanelParts& parts, FilesPanel& files)
    : QObject(&files)
    , m_parts(parts)
    , m_files(files)
{
    m_countSoon.setSingleShot(true);
    m_countSoon.setInterval(kCountSoonMs);
    connect(&m_countSoon, &QTimer::timeout, this, &WorldFeed::ask);
    connect(&m_parts.clients.world, &WorldClient::worldLoaded, this, &WorldFeed::take);
    connect(&m_files, &FilesPanel::sessionChosen, this, &WorldFeed::choose);
    readFor(m_files);
    follow();
    transfer();
    editTexts();
    findChanges();
}

void WorldFeed::readFor(QWidget& panel)
{
    auto* sight = new Sight(panel);
    readWhile([shown = QPointer<const Sight>(sight)] { return shown != nullptr && shown->isSeen(); });
    connect(sight, &Sight::came, this, &WorldFeed::read);
}

void WorldFeed::follow()
{
    connect(&m_parts.clients.sessions, &SessionsClient::sessionsChanged, this,
            [this](const std::vector<SessionRow>& sessions) {
                m_sessions = sessions;
                followLive();
            });
    const Selection* selection = &m_parts.selection;
    connect(selection, &Selection::threadChanged, this, [this] {
        clear();
        read();
    });
    connect(selection, &Selection::checkpointChanged, this, &WorldFeed::read);
    connect(selection, &Selection::baseChanged, this, &WorldFeed::read);
    connect(&m_parts.feed, &ClientFeed::readsAgain, this, &WorldFeed::read);
    connect(&m_parts.history, &ShownHistory::wentOn, this, [this] {
        if (m_parts.selection.isAtHead())
            read();
    });
    connect(&m_parts.clients.runs, &RunsClient::runFinished, this, [this](const QString& thread) {
        if (thread == m_parts.selection.thread())
            read();
    });
}

void WorldFeed::transfer()
{
    using Panel = FilesPanel;
    WorldClient* client = &m_parts.clients.world;
    connect(&m_files, &Panel::takeRequested, this,
            [this, client](const std::vector<WantedFile>& wanted, const QString& folder,
                           const std::shared_ptr<StagedFiles>& files) {
                client->takeFiles(m_parts.selection.thread(), m_parts.selection.checkpoint(), m_shown, wanted,
                                  folder, files);
            });
    connect(&m_files, &Panel::stagedReleased, &m_parts.clients.staging, &Staging::release);
    connect(&m_files, &Panel::putRequested, this,
            [this, client](const QStringList& files, const QString& folder) {
                client->putFiles(m_parts.selection.thread(), m_shown, files, folder);
            });
    connect(client, &WorldClient::filesPut, &m_files, &Panel::setPut);
    connect(client, &WorldClient::filesTaken, &m_files, &Panel::setTaken);
    connect(&m_files, &Panel::liveRequested, this,
            [this, client] { client->loadLiveFiles(m_parts.selection.thread(), m_shown); });
    connect(client, &WorldClient::liveFilesLoaded, this, [this](const LiveFiles& files) {
        if (files.thread == m_parts.selection.thread() && files.session == m_shown)
            m_files.setLiveFiles(files);
        else
            m_files.lookAgain();
    });
}

void WorldFeed::editTexts()
{
    using Panel = FilesPanel;
    WorldClient* client = &m_parts.clients.world;
    connect(&m_files, &Panel::openRequested, this, [this, client](const QString& path) {
        client->loadSessionText(m_parts.selection.thread(), m_parts.selection.checkpoint(), m_shown, path);
    });
    connect(&m_files, &Panel::saveRequested, client, &WorldClient::saveSessionText);
    connect(&m_files, &Panel::reloadRequested, client, [client](const SessionText& text) {
        client->loadSessionText(text.thread, text.checkpoint, text.session, text.path);
    });
    connect(client, &WorldClient::sessionTextLoaded, &m_files, &Panel::setText);
    connect(client, &WorldClient::sessionTextSaved, &m_files, &Panel::setSaved);
}

void WorldFeed::findChanges()
{
    WorldClient* client = &m_parts.clients.world;
    connect(&m_files, &FilesPanel::changeRequested, this, [this, client](const QString& path) {
        client->findFileChange(m_parts.selection.thread(), m_parts.selection.checkpoint(), m_shown, path);
    });
    connect(client, &WorldClient::fileChangeFound, this,
            [this](const QString& thread, const QString& path, const QString& checkpoint) {
                if (thread != m_parts.selection.thread())
                    return;
                if (checkpoint.isEmpty())
                    m_files.setChangeUnknown(path);
                else
                    m_parts.history.goTo(checkpoint);
            });
}

void WorldFeed::choose(const QString& session)
{
    m_chosen = session;
    read();
}

void WorldFeed::read()
{
    followLive();
    if (std::ranges::any_of(m_readers, [](const auto& isSeen) { return isSeen(); }))
        ask();
    else
        m_countSoon.start();
}

void WorldFeed::ask()
{
    m_countSoon.stop();
    const Selection& selection = m_parts.selection;
    if (m_parts.book.contains(selection.thread())) {
        m_parts.clients.world.loadWorld(
            { selection.thread(), selection.checkpoint(), m_chosen, selection.base() });
        return;
    }
    m_files.clear();
    Q_EMIT m_files.emptied();
    Q_EMIT m_files.countChanged(0);
}

void WorldFeed::clear()
{
    m_files.clear();
    m_shown.clear();
    Q_EMIT m_files.emptied();
    Q_EMIT m_files.countChanged(0);
}

void WorldFeed::take(const WorldView& world)
{
    if (world.thread != m_parts.selection.thread())
        return;
    m_shown = world.session;
    m_files.setWorld(world);
    Q_EMIT m_files.countChanged(static_cast<int>(std::ranges::count_if(world.files, hasChanged)));
    followLive(); // of that session
}

void WorldFeed::followLive()
{
    const auto answers = [this](const SessionRow& row) {
        return row.thread == m_parts.selection.thread() && QString::fromStdString(row.part.text()) == m_shown
            && !row.state.hasEnded() && !row.state.is(sessions::SessionState::Kind::Paused);
    };
    m_files.setLive(m_parts.selection.checkpoint().isEmpty() && std::ranges::any_of(m_sessions, answers));
}

} // namespace sg::ui
