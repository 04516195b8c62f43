#include "ui/shell/parts/chat_part.h"

#include "ui/bridge/clients.h"
#include "ui/chat/chat_document.h"
#include "ui/graph/canvas/canvas_editor.h"
#include "ui/graph/canvas/graph_view.h"
#include "ui/run/thread_list.h"
#include "ui/selection/client_feed.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"
#include "ui/selection/thread_book.h"
#include "ui/shell/canvas_panel.h"
#include "ui/shell/document_table.h"
#include "ui/shell/panel_table.h"
#include "ui/timeline/timeline_panel.h"
#include "ui/widgets/icons.h"

#include <QAction>
#include <QMainWindow>

#include <algorithm>

namespace sg::ui {
namespace {

constexpr int kReadSoonMs = 60; // a run that goes fast stores more than anybody reads
// Turns of models and calls of tools, by the tasks that did them.
QHash<QString, QString> innerNames(const ChatRows& rows)
{
    QHash<QString, QString> names;
    QHash<QString, int> turns; // by the agent's superstep
    for (const ChatRow& row : rows.rows) {
        if (row.role == ChatRow::Role::Agent && !row.task.isEmpty())
            names.insert(
                row.task,
                ChatPart::tr("model, turn %1").arg(++turns[row.checkpoint + QLatin1Char('/') + row.node]));
        else if (row.role == ChatRow::Role::Tool && !row.task.isEmpty() && !row.author.isEmpty())
            names.insert(row.task, row.author);
    }
    return names;
}

constexpr const char* kIsStale = "sgStale"; // property of a chat that is not seen

} // namespace

ChatPart::ChatPart(const WindowParts& parts)
    : WindowPart(parts)
    , m_documents(parts.documents)
    , m_open(new QAction(icon(QLatin1String("text")), tr("&Messages of this thread"), m_window))
{
    m_open->setObjectName(QStringLiteral("openChat"));
    m_open->setShortcut(QKeySequence(QStringLiteral("Ctrl+Shift+M")));
    m_open->setToolTip(tr("What people, models and tools said in this thread, in a tab of its own"));
    m_open->setEnabled(false);
    connect(m_open, &QAction::triggered, this, &ChatPart::openChat);
    parts.panels->of<ThreadList>().addVerb(m_open);
    parts.canvas->view().editor()->addNodeVerb(m_open);
    connect(m_documents, &DocumentArea::made, this, [this](const DocumentId&, QWidget* document) {
        if (auto* chat = qobject_cast<ChatDocument*>(document))
            wire(chat);
    });
    connect(m_documents, &DocumentArea::cameToBeSeen, this, [this](const QWidget* document) {
        for (ChatDocument* chat : chats())
            if (chat == document && chat->property(kIsStale).toBool())
                read(chat);
    });
    m_readSoon.setSingleShot(true);
    m_readSoon.setInterval(kReadSoonMs);
    connect(&m_readSoon, &QTimer::timeout, this, [this] {
        for (ChatDocument* chat : chats())
            if (m_stale.contains(chat->thread()))
                read(chat);
        readInner();
        m_stale.clear();
    });
    connect(m_selection, &Selection::threadChanged, this, [this](const QString& thread) {
        m_open->setEnabled(!thread.isEmpty());
        for (ChatDocument* chat : chats())
            read(chat);
    });
    connect(m_selection, &Selection::checkpointChanged, this, [this] {
        for (ChatDocument* chat : chats(m_selection->thread()))
            read(chat);
    });
    const auto showSteps = [this] {
        for (ChatDocument* chat : chats(m_selection->thread())) {
            showPlace(chat);
            chat->view().showSteps();
        }
    };
    connect(m_history, &ShownHistory::wentOn, this, showSteps);
    connect(m_history, &ShownHistory::changed, this, [showSteps](const HistoryChange& change) {
        if (!change.isLive())
            showSteps();
    });
    followRuns();
}

void ChatPart::followRuns()
{
    const RunsClient* runs = &m_clients->runs;
    const ChatClient* client = &m_clients->chat;
    connect(client, &ChatClient::loaded, this, [this](const ChatRows& rows) {
        for (ChatDocument* chat : chats(rows.thread))
            if (placeOf(chat) == rows.wanted)
                chat->setRows(rows);
        if (rows.thread == m_selection->thread())
            m_timeline->addInnerNames(innerNames(rows));
    });
    connect(client, &ChatClient::piecesCame, this, [this](const std::vector<ChatPiece>& pieces) {
        for (ChatDocument* chat : chats())
            if (placeOf(chat).isEmpty())
                chat->add(pieces);
    });
    connect(client, &ChatClient::taskEnded, this, [this](const QString& thread, const QString& task) {
        for (ChatDocument* chat : chats(thread))
            chat->view().endTask(task);
        readSoon(thread);
    });
    connect(&m_clients->history, &HistoryClient::namespacesLoaded, this,
            [this](const QString& thread, const QStringList& namespaces) {
                if (!namespaces.isEmpty())
                    readSoon(thread);
            });
    connect(runs, &RunsClient::checkpointsAdded, this, &ChatPart::readSoon);
    connect(runs, &RunsClient::innerChanged, this, &ChatPart::readSoon);
    connect(runs, &RunsClient::runFinished, this, &ChatPart::readSoon);
    connect(m_parts.feed, &ClientFeed::readsAgain, this, [this] {
        for (ChatDocument* chat : chats())
            read(chat);
    });
    connect(m_book, &ThreadBook::statusChanged, this, [this](const QString& thread) {
        for (ChatDocument* chat : chats(thread))
            showState(chat);
    });
    connect(m_book, &ThreadBook::listed, this, [this] {
        for (ChatDocument* chat : chats())
            showState(chat);
    });
    connect(&m_clients->project, &OpenProject::closing, this, [this] { m_stale.clear(); });
    connect(&m_clients->project, &OpenProject::opened, this, [this] {
        for (ChatDocument* chat : chats())
            read(chat);
    });
}

void ChatPart::openChat()
{
    const QString thread = m_selection->thread();
    if (thread.isEmpty())
        return;
    if (QWidget* chat = m_documents->open({ kChatDocument, thread }))
        chat->setFocus(Qt::OtherFocusReason);
}

void ChatPart::wire(ChatDocument* chat)
{
    connect(chat, &ChatDocument::stepRequested, this, [this, chat](const ChatRow& row) {
        if (row.checkpoint.isEmpty())
            return;
        m_selection->setThread(chat->thread());
        if (!row.node.isEmpty() && row.role != ChatRow::Role::Person)
            m_selection->setNode(row.node);
        m_history->goToMadeFrom(chat->thread(), row.checkpoint);
    });
    connect(chat, &ChatDocument::readAgain, this, [this, chat] { read(chat); });
    chat->view().setSteps([this, chat](const QString& checkpoint) {
        if (chat->thread() != m_selection->thread())
            return -1;
        const CheckpointRow row = m_history->row(checkpoint);
        return row.id.isEmpty() ? -1 : row.step + 1; // it was made by the step after
    });
    showPlace(chat);
    showState(chat);
    read(chat);
    chat->add(m_clients->chat.pieces(chat->thread()));
}

std::vector<ChatDocument*> ChatPart::chats(const QString& thread) const
{
    std::vector<ChatDocument*> found;
    for (const DocumentId& id : m_documents->documents())
        if (id.kind == kChatDocument && (thread.isEmpty() || id.argument == thread))
            if (auto* chat = qobject_cast<ChatDocument*>(m_documents->find(id)))
                found.push_back(chat);
    return found;
}

QString ChatPart::placeOf(const ChatDocument* chat) const
{
    return chat->thread() == m_selection->thread() ? m_selection->checkpoint() : QString();
}

void ChatPart::read(ChatDocument* chat)
{
    showPlace(chat);
    chat->setProperty(kIsStale, !m_documents->isSeen(chat));
    if (m_documents->isSeen(chat))
        m_clients->chat.load(chat->thread(), placeOf(chat));
}

// What happened inside of nodes is named by what was said, also where no chat is open.
void ChatPart::readInner()
{
    const QString thread = m_selection->thread();
    const auto open = chats(thread);
    const bool isRead =
        std::ranges::any_of(open, [this](const ChatDocument* chat) { return m_documents->isSeen(chat); });
    if (m_stale.contains(thread) && !isRead && m_timeline->hasInner())
        m_clients->chat.load(thread, m_selection->checkpoint());
}

void ChatPart::readSoon(const QString& thread)
{
    m_stale.insert(thread);
    if (!m_readSoon.isActive())
        m_readSoon.start();
}

void ChatPart::showPlace(ChatDocument* chat)
{
    const QString checkpoint = placeOf(chat);
    const CheckpointRow row = m_history->row(checkpoint);
    chat->setPlace(checkpoint.isEmpty()   ? QString()
                       : row.id.isEmpty() ? tr("an older step")
                                          : tr("step %1").arg(row.step));
}

void ChatPart::showState(ChatDocument* chat)
{
    const RunStatus status = m_book->status(chat->thread());
    chat->view().setUnanswered(status == RunStatus::Running           ? StateKind::Running
                                   : status == RunStatus::Interrupted ? StateKind::Waiting
                                                                      : StateKind::Skipped);
}

} // namespace sg::ui
