#include "ui/run/inbox_feed.h"

#include "ui/bridge/clients.h"
#include "ui/run/answer_queue.h"
#include "ui/run/inbox_panel.h"
#include "ui/selection/selection.h"
#include "ui/selection/thread_book.h"

#include <algorithm>
#include <iterator>

namespace sg::ui {
namespace {

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

InboxFeed::InboxFeed(const PanelParts& parts, InboxPanel& panel)
    : QObject(&panel)
    , m_parts(parts)
    , m_panel(panel)
    , m_answers(new AnswerQueue(this))
{
    connect(&m_parts.book, &ThreadBook::notesChanged, this,
            [this] { m_panel.setLabels(m_parts.book.notes()); });
    connect(&m_panel, &InboxPanel::threadChosen, &m_parts.selection, &Selection::setThread);
    passAnswers();
    read();
}

void InboxFeed::passAnswers()
{
    RunsClient* runs = &m_parts.clients.runs;
    connect(&m_panel, &InboxPanel::answered, m_answers, &AnswerQueue::give);
    connect(m_answers, &AnswerQueue::ready, runs, &RunsClient::answerAll);
    connect(m_answers, &AnswerQueue::changed, this, [this] {
        m_panel.setGiven(m_answers->given());
        count();
    });
    connect(m_answers, &AnswerQueue::givenBack, &m_panel, &InboxPanel::givenBack);
    connect(&m_parts.clients.project, &OpenProject::closing, m_answers, &AnswerQueue::clear);
    connect(runs, &RunsClient::runStarted, m_answers, &AnswerQueue::noteStarted);
    connect(runs, &RunsClient::runRefused, m_answers, &AnswerQueue::noteRefused);
    connect(runs, &RunsClient::runFinished, m_answers, &AnswerQueue::noteEnded);
}

void InboxFeed::read()
{
    RunsClient* runs = &m_parts.clients.runs;
    HistoryClient* history = &m_parts.clients.history;
    connect(&m_panel, &InboxPanel::readAgain, history, &HistoryClient::refreshThreads);
    connect(history, &HistoryClient::threadsLoaded, this, [this, runs](const std::vector<ThreadRow>& rows) {
        const bool any = std::ranges::any_of(
            rows, [](const ThreadRow& row) { return row.status == RunStatus::Interrupted; });
        if (any)
            runs->loadWaiting();
        else
            show({});
    });
    connect(runs, &RunsClient::waitingLoaded, this, &InboxFeed::show);
    connect(runs, &RunsClient::waitingFailed, &m_panel, &InboxPanel::setError);
}

void InboxFeed::show(const std::vector<WaitingRow>& found)
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
    for (const WaitingRow& row : m_panel.waiting())
        if (isKept(row))
            rows.push_back(row);
    m_parts.book.setPaused(paused);
    const auto isNew = [this](const WaitingRow& row) {
        return std::ranges::none_of(m_panel.waiting(), [&row](const WaitingRow& known) {
            return known.thread == row.thread && known.interrupt == row.interrupt
                && known.checkpoint == row.checkpoint;
        });
    };
    const auto fresh =
        std::ranges::find_if(rows, [&isNew](const WaitingRow& row) { return !row.isPause() && isNew(row); });
    if (fresh != rows.end())
        Q_EMIT m_panel.asked(*fresh);
    m_panel.setNext(successors(m_parts.clients.project.info().graph));
    m_panel.setCanAnswer(!m_parts.clients.project.info().isReadOnly,
                         m_parts.clients.project.info().isReadOnly
                             ? tr("This file is only read: fork it into a project to answer there")
                             : QString());
    m_panel.setWaiting(rows);
    count();
}

// A question that has its answer waits for nobody, although its run has not ended yet.
void InboxFeed::count()
{
    const std::vector<WaitingRow>& rows = m_panel.waiting();
    const QSet<QString> given = m_answers->given();
    const auto pauses = static_cast<int>(std::ranges::count_if(rows, &WaitingRow::isPause));
    const auto asking = static_cast<int>(std::ranges::count_if(rows, [&given](const WaitingRow& row) {
        return !row.isPause() && !given.contains(row.thread + QLatin1Char('/') + row.interrupt);
    }));
    Q_EMIT m_panel.countChanged(asking, pauses);
}

} // namespace sg::ui
