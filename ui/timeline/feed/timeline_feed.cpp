#include "ui/timeline/feed/timeline_feed.h"

#include "ui/bridge/clients.h"
#include "ui/selection/selection.h"
#include "ui/selection/thread_book.h"
#include "ui/timeline/feed/session_tracks.h"
#include "ui/timeline/timeline_panel.h"
#include "ui/widgets/error_cover.h"

namespace sg::ui {

TimelineFeed::TimelineFeed(const PanelParts& parts, TimelinePanel& timeline)
    : QObject(&timeline)
    , m_parts(parts)
    , m_timeline(timeline)
{
    new SessionTracks(parts, timeline);
    readNested();
    readWatches();
    readLog();
    coverFailures();
    connect(&m_parts.book, &ThreadBook::notesChanged, this, &TimelineFeed::showBookmarks);
    connect(&m_parts.selection, &Selection::threadChanged, this, &TimelineFeed::showBookmarks);
}

bool TimelineFeed::isShown(const QString& thread) const
{
    return thread == m_parts.selection.thread();
}

void TimelineFeed::readNested()
{
    HistoryClient* client = &m_parts.clients.history;
    connect(client, &HistoryClient::historyLoaded, this, [this, client](const HistoryRows& rows) {
        if (isShown(rows.thread))
            client->loadNamespaces(rows.thread);
    });
    connect(client, &HistoryClient::namespacesLoaded, this,
            [this](const QString& thread, const QStringList& namespaces) {
                if (isShown(thread))
                    m_timeline.setNamespaces(namespaces);
            });
    connect(&m_timeline, &TimelinePanel::nestedWanted, this, [this, client](const QStringList& namespaces) {
        client->loadNested(m_parts.selection.thread(), namespaces);
    });
    connect(client, &HistoryClient::nestedLoaded, this, [this](const std::vector<HistoryRows>& runs) {
        if (!runs.empty() && isShown(runs.front().thread))
            m_timeline.setNested(runs);
    });
    connect(&m_parts.clients.runs, &RunsClient::innerChanged, this,
            [this](const QString& thread, const QStringList& namespaces) {
                if (isShown(thread))
                    m_timeline.addNamespaces(namespaces);
            });
}

void TimelineFeed::readWatches()
{
    SearchClient* client = &m_parts.clients.search;
    connect(&m_timeline, &TimelinePanel::watchWanted, this,
            [this, client](const QString& program, const QStringList& way) {
                client->watch(m_parts.selection.thread(), way, program);
            });
    connect(client, &SearchClient::watched, &m_timeline, &TimelinePanel::setWatched);
    connect(client, &SearchClient::watchesLoaded, this, [this](const QStringList& programs) {
        for (const QString& other : m_timeline.watches()) // of the project before
            m_timeline.removeWatch(other);
        for (const QString& program : programs)
            m_timeline.addWatch(program);
    });
}

void TimelineFeed::readLog()
{
    const HistoryClient* client = &m_parts.clients.history;
    connect(client, &HistoryClient::logLoaded, this,
            [this](const QString& thread, const std::vector<LogRow>& rows) {
                if (isShown(thread))
                    m_timeline.setLog(rows);
            });
    connect(client, &HistoryClient::logAppended, this,
            [this](const QString& thread, const std::vector<LogRow>& rows) {
                if (isShown(thread))
                    m_timeline.addLog(rows);
            });
}

void TimelineFeed::showBookmarks()
{
    m_timeline.setBookmarks(m_parts.book.bookmarks(m_parts.selection.thread()));
}

void TimelineFeed::coverFailures()
{
    HistoryClient* client = &m_parts.clients.history;
    auto* cover = new ErrorCover(m_timeline);
    connect(cover, &ErrorCover::readAgain, this,
            [this, client] { client->loadHistory(m_parts.selection.thread()); });
    connect(client, &HistoryClient::historyFailed, cover,
            [this, cover](const QString& thread, const UserError& error) {
                if (isShown(thread))
                    cover->showError(tr("The history of this thread cannot be read."), error.what);
            });
    connect(client, &HistoryClient::historyLoaded, cover, &QWidget::hide);
    connect(&m_parts.selection, &Selection::threadChanged, cover, &QWidget::hide);
    connect(&m_parts.clients.project, &OpenProject::closing, cover, &QWidget::hide);
}

} // namespace sg::ui
