#include "ui/shell/parts/chat_part.h"

#include "ui/bridge/clients.h"
#include "ui/graph/canvas/canvas_editor.h"
#include "ui/graph/canvas/graph_view.h"
#include "ui/run/thread_list.h"
#include "ui/selection/selection.h"
#include "ui/shell/canvas_panel.h"
#include "ui/shell/document_table.h"
#include "ui/shell/panel_table.h"
#include "ui/timeline/timeline_panel.h"
#include "ui/widgets/icons.h"

#include <QAction>
#include <QMainWindow>

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
    m_readSoon.setSingleShot(true);
    m_readSoon.setInterval(kReadSoonMs);
    connect(&m_readSoon, &QTimer::timeout, this, &ChatPart::readInner);
    connect(m_selection, &Selection::threadChanged, this, [this](const QString& thread) {
        m_open->setEnabled(!thread.isEmpty());
        m_readSoon.stop();
    });
    nameInner();
}

// Names what happened inside of nodes by what was said, also if no chat is open.
void ChatPart::nameInner()
{
    const RunsClient* runs = &m_clients->runs;
    connect(&m_clients->chat, &ChatClient::loaded, this, [this](const ChatRows& rows) {
        if (rows.thread == m_selection->thread())
            m_timeline->addInnerNames(innerNames(rows));
    });
    connect(&m_clients->chat, &ChatClient::taskEnded, this, &ChatPart::readSoon);
    connect(&m_clients->history, &HistoryClient::namespacesLoaded, this,
            [this](const QString& thread, const QStringList& namespaces) {
                if (!namespaces.isEmpty())
                    readSoon(thread);
            });
    connect(runs, &RunsClient::checkpointsAdded, this, &ChatPart::readSoon);
    connect(runs, &RunsClient::innerChanged, this, &ChatPart::readSoon);
    connect(runs, &RunsClient::runFinished, this, &ChatPart::readSoon);
    connect(&m_clients->project, &OpenProject::closing, &m_readSoon, &QTimer::stop);
}

void ChatPart::openChat()
{
    const QString thread = m_selection->thread();
    if (thread.isEmpty())
        return;
    if (QWidget* chat = m_documents->open({ kChatDocument, thread }))
        chat->setFocus(Qt::OtherFocusReason);
}

void ChatPart::readInner()
{
    const QString thread = m_selection->thread();
    const QWidget* chat = m_documents->find({ kChatDocument, thread });
    const bool isRead = chat != nullptr && m_documents->isSeen(chat);
    if (!isRead && m_timeline->hasInner())
        m_clients->chat.load(thread, m_selection->checkpoint());
}

void ChatPart::readSoon(const QString& thread)
{
    if (thread == m_selection->thread() && !m_readSoon.isActive())
        m_readSoon.start();
}

} // namespace sg::ui
