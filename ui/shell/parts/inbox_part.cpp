#include "ui/shell/parts/inbox_part.h"

#include "ui/bridge/clients.h"
#include "ui/run/answer_queue.h"
#include "ui/run/inbox_panel.h"
#include "ui/selection/selection.h"
#include "ui/selection/thread_book.h"
#include "ui/shell/desktop_notice.h"
#include "ui/shell/dock_layout.h"
#include "ui/shell/run_notices.h"
#include "ui/shell/status_line.h"
#include "ui/widgets/icons.h"

#include <QAction>
#include <QApplication>
#include <QMainWindow>
#include <QStatusBar>
#include <QWindow>

#include <algorithm>
#include <iterator>

namespace sg::ui {
namespace {

constexpr int kAnsweredToldMs = 8000;

// Neither at the window nor at a dialog of it.
bool nobodyLooks()
{
    return QApplication::activeWindow() == nullptr;
}

QHash<QString, QStringList> successors(const graph::Graph& graph)
{
    QHash<QString, QStringList> next;
    for (const graph::Edge& edge : graph.edges)
        for (const NodeId& from : edge.from)
            if (edge.to.value != graph::kEnd)
                next[QString::fromStdString(from.value)] << QString::fromStdString(edge.to.value);
    return next;
}

} // namespace

InboxPart::InboxPart(const WindowParts& parts, InboxPanel& inbox, StatusLine& status)
    : WindowPart(parts)
    , m_inbox(&inbox)
    , m_status(&status)
    , m_answers(new AnswerQueue(this))
{
    m_next = new QAction(icon(QLatin1String("inbox")), tr("Next &question that waits"), m_window);
    m_next->setShortcut(QKeySequence(QStringLiteral("Ctrl+I")));
    connect(m_next, &QAction::triggered, this, [this] {
        m_docks->raise(m_inbox);
        m_inbox->focusNext();
    });
    m_notice = new DesktopNotice(m_window);
    connect(m_notice, &DesktopNotice::chosen, this, [this] {
        m_window->raise();
        m_window->activateWindow();
        m_next->trigger();
    });
    connect(m_inbox, &InboxPanel::threadChosen, m_selection, &Selection::setThread);
    connect(m_inbox, &InboxPanel::answered, m_answers, &AnswerQueue::give);
    connect(m_inbox, &InboxPanel::readAgain, &m_clients->history, &HistoryClient::refreshThreads);
    connect(m_answers, &AnswerQueue::ready, &m_clients->runs, &RunsClient::answerAll);
    connect(m_answers, &AnswerQueue::changed, this, [this] { m_inbox->setGiven(m_answers->given()); });
    connect(&m_clients->project, &OpenProject::closing, m_answers, &AnswerQueue::clear);
    connect(&m_clients->runs, &RunsClient::runStarted, m_answers, &AnswerQueue::noteStarted);
    connect(&m_clients->runs, &RunsClient::runRefused, m_answers, &AnswerQueue::noteRefused);
    connect(&m_clients->runs, &RunsClient::runFinished, m_answers, &AnswerQueue::noteEnded);
    connect(m_answers, &AnswerQueue::givenBack, this, [this](const QString& thread, int answers) {
        m_window->statusBar()->showMessage(
            answers == 1
                ? tr("An answer to %1 was not given: the question still waits").arg(thread)
                : tr("%1 answers to %2 were not given: the questions still wait").arg(answers).arg(thread),
            kAnsweredToldMs);
    });
    connect(&m_clients->runs, &RunsClient::waitingFailed, m_inbox, &InboxPanel::setError);
    connect(&m_clients->history, &HistoryClient::threadsLoaded, this,
            [this](const std::vector<ThreadRow>& rows) {
                const bool any = std::ranges::any_of(
                    rows, [](const ThreadRow& row) { return row.status == RunStatus::Interrupted; });
                if (any)
                    m_clients->runs.loadWaiting();
                else
                    showWaiting({});
            });
    connect(&m_clients->runs, &RunsClient::waitingLoaded, this, &InboxPart::showWaiting);
    connectRunNotices();
}

void InboxPart::connectRunNotices()
{
    auto* notices = new RunNotices(this);
    connect(&m_clients->runs, &RunsClient::runFinished, notices,
            [this, notices](const QString& thread, RunStatus status, const UserError& error) {
                const bool isTold = notices->add(thread, status, error,
                                                 nobodyLooks() && !m_clients->project.info().isReadOnly);
                if (isTold)
                    QApplication::alert(m_window);
            });
    connect(&m_clients->runs, &RunsClient::runStarted, notices, &RunNotices::noteStarted);
    connect(qGuiApp, &QGuiApplication::focusWindowChanged, notices, [notices](const QWindow* focused) {
        if (focused != nullptr)
            notices->clear();
    });
    connect(&m_clients->project, &OpenProject::closing, notices, &RunNotices::clear);
    connect(notices, &RunNotices::chosen, this, [this](const QString& thread) {
        m_window->raise();
        m_window->activateWindow();
        m_selection->setThread(thread);
    });
}

void InboxPart::showWaiting(const std::vector<WaitingRow>& found)
{
    std::vector<WaitingRow> rows;
    QHash<QString, QString> paused; // at a breakpoint: that asks nobody
    for (const WaitingRow& row : found)
        if (row.isPause())
            paused.insert(row.thread, row.node);
    std::ranges::copy_if(found, std::back_inserter(rows), &WaitingRow::isPause);
    for (const WaitingRow& row : found)
        if (!row.isPause())
            rows.push_back(row);
    // While a run answers one question of a thread, its others are not read: they wait as before.
    const auto isKept = [this, &rows, given = m_answers->given()](const WaitingRow& row) {
        return !row.isPause() && m_answers->isBusy(row.thread)
            && !given.contains(row.thread + QLatin1Char('/') + row.interrupt)
            && std::ranges::none_of(rows, [&row](const WaitingRow& read) {
                   return read.thread == row.thread && read.interrupt == row.interrupt;
               });
    };
    for (const WaitingRow& row : m_inbox->waiting())
        if (isKept(row))
            rows.push_back(row);
    m_book->setPaused(paused);
    const auto isNew = [this](const WaitingRow& row) {
        return std::ranges::none_of(m_inbox->waiting(), [&row](const WaitingRow& known) {
            return known.thread == row.thread && known.interrupt == row.interrupt
                && known.checkpoint == row.checkpoint;
        });
    };
    const auto fresh =
        std::ranges::find_if(rows, [&isNew](const WaitingRow& row) { return !row.isPause() && isNew(row); });
    if (fresh != rows.end() && nobodyLooks() && !m_clients->project.info().isReadOnly)
        notifyOf(*fresh);
    else if (rows.empty())
        m_notice->withdraw();
    m_inbox->setNext(successors(m_clients->project.info().graph));
    m_inbox->setCanAnswer(!m_clients->project.info().isReadOnly,
                          m_clients->project.info().isReadOnly
                              ? tr("This file is only read: fork it into a project to answer there")
                              : QString());
    m_inbox->setWaiting(rows);
    const auto pauses = static_cast<int>(std::ranges::count_if(rows, &WaitingRow::isPause));
    m_status->setWaiting(static_cast<int>(rows.size()) - pauses, pauses);
    m_next->setEnabled(static_cast<int>(rows.size()) > pauses);
    m_docks->setCount(m_inbox, static_cast<int>(rows.size()), Badge::Kind::Waiting);
}

// In the desktop's own way, where it has one; else the task bar alone.
void InboxPart::notifyOf(const WaitingRow& row)
{
    QApplication::alert(m_window);
    m_notice->show(tr("%1 waits for you").arg(row.node),
                   tr("Thread %1, step %2").arg(row.thread).arg(row.step));
}

} // namespace sg::ui
