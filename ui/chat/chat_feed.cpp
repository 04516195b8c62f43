#include "ui/chat/chat_feed.h"

#include "ui/bridge/clients.h"
#include "ui/chat/chat_document.h"
#include "ui/selection/client_feed.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"
#include "ui/selection/thread_book.h"
#include "ui/widgets/sight.h"

namespace sg::ui {
namespace {

constexpr int kReadSoonMs = 60; // a run that goes fast stores more than anybody reads

} // namespace

ChatFeed::ChatFeed(const PanelParts& parts, ChatDocument& chat)
    : QObject(&chat)
    , m_parts(parts)
    , m_chat(chat)
    , m_sight(new Sight(chat))
{
    m_soon.setSingleShot(true);
    m_soon.setInterval(kReadSoonMs);
    connect(&m_soon, &QTimer::timeout, this, &ChatFeed::read);
    connect(m_sight, &Sight::came, this, [this] {
        if (m_isStale)
            read();
    });
    connect(&m_chat, &ChatDocument::stepRequested, this, &ChatFeed::goTo);
    connect(&m_chat, &ChatDocument::readAgain, this, &ChatFeed::read);
    m_chat.view().setSteps([this](const QString& checkpoint) { return stepOf(checkpoint); });
    followSelection();
    followClient();
    followRuns();
    followBook();
    showState();
    read();
    m_chat.add(m_parts.clients.chat.pieces(m_chat.thread()));
}

void ChatFeed::followSelection()
{
    connect(&m_parts.selection, &Selection::threadChanged, this, &ChatFeed::read);
    connect(&m_parts.selection, &Selection::checkpointChanged, this, [this] {
        if (isShown())
            read();
    });
    connect(&m_parts.history, &ShownHistory::wentOn, this, &ChatFeed::showSteps);
    connect(&m_parts.history, &ShownHistory::changed, this, [this](const HistoryChange& change) {
        if (!change.isLive())
            showSteps();
    });
}

void ChatFeed::followClient()
{
    const ChatClient* client = &m_parts.clients.chat;
    connect(client, &ChatClient::loaded, this, [this](const ChatRows& rows) {
        if (rows.thread == m_chat.thread() && rows.wanted == place())
            m_chat.setRows(rows);
    });
    connect(client, &ChatClient::piecesCame, this, [this](const std::vector<ChatPiece>& pieces) {
        if (place().isEmpty())
            m_chat.add(pieces);
    });
    connect(client, &ChatClient::taskEnded, this, [this](const QString& thread, const QString& task) {
        if (thread == m_chat.thread())
            m_chat.view().endTask(task);
        readSoon(thread);
    });
}

void ChatFeed::followRuns()
{
    const RunsClient* runs = &m_parts.clients.runs;
    connect(runs, &RunsClient::checkpointsAdded, this, &ChatFeed::readSoon);
    connect(runs, &RunsClient::innerChanged, this, &ChatFeed::readSoon);
    connect(runs, &RunsClient::runFinished, this, &ChatFeed::readSoon);
    connect(&m_parts.clients.history, &HistoryClient::namespacesLoaded, this,
            [this](const QString& thread, const QStringList& namespaces) {
                if (!namespaces.isEmpty())
                    readSoon(thread);
            });
    connect(&m_parts.feed, &ClientFeed::readsAgain, this, &ChatFeed::read);
    connect(&m_parts.clients.project, &OpenProject::closing, &m_soon, &QTimer::stop);
    connect(&m_parts.clients.project, &OpenProject::opened, this, &ChatFeed::read);
}

void ChatFeed::followBook()
{
    connect(&m_parts.book, &ThreadBook::statusChanged, this, [this](const QString& thread) {
        if (thread == m_chat.thread())
            showState();
    });
    connect(&m_parts.book, &ThreadBook::listed, this, &ChatFeed::showState);
}

void ChatFeed::goTo(const ChatRow& row)
{
    if (row.checkpoint.isEmpty())
        return;
    m_parts.selection.setThread(m_chat.thread());
    if (!row.node.isEmpty() && row.role != ChatRow::Role::Person)
        m_parts.selection.setNode(row.node);
    m_parts.history.goToMadeFrom(m_chat.thread(), row.checkpoint);
}

bool ChatFeed::isShown() const
{
    return m_chat.thread() == m_parts.selection.thread();
}

QString ChatFeed::place() const
{
    return isShown() ? m_parts.selection.checkpoint() : QString();
}

int ChatFeed::stepOf(const QString& checkpoint) const
{
    if (!isShown())
        return -1;
    const CheckpointRow row = m_parts.history.row(checkpoint);
    return row.id.isEmpty() ? -1 : row.step + 1; // it was made by the step after
}

void ChatFeed::read()
{
    showPlace();
    m_isStale = !m_sight->isSeen();
    if (!m_isStale)
        m_parts.clients.chat.load(m_chat.thread(), place());
}

void ChatFeed::readSoon(const QString& thread)
{
    if (thread == m_chat.thread() && !m_soon.isActive())
        m_soon.start();
}

void ChatFeed::showSteps()
{
    if (!isShown())
        return;
    showPlace();
    m_chat.view().showSteps();
}

void ChatFeed::showPlace()
{
    const QString checkpoint = place();
    const CheckpointRow row = m_parts.history.row(checkpoint);
    m_chat.setPlace(checkpoint.isEmpty()   ? QString()
                        : row.id.isEmpty() ? tr("an older step")
                                           : tr("step %1").arg(row.step));
}

void ChatFeed::showState()
{
    const RunStatus status = m_parts.book.status(m_chat.thread());
    m_chat.view().setUnanswered(status == RunStatus::Running           ? StateKind::Running
                                    : status == RunStatus::Interrupted ? StateKind::Waiting
                                                                       : StateKind::Skipped);
}

} // namespace sg::ui
