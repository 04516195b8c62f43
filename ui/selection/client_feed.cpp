#include "ui/selection/client_feed.h"

#include "ui/bridge/clients.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"
#include "ui/selection/thread_book.h"

namespace sg::ui {

ClientFeed::ClientFeed(Clients& clients, const Owners& owners, QObject* parent)
    : QObject(parent)
    , m_clients(clients)
    , m_owners(owners)
{
    feedBook();
    feedHistory();
    connect(&m_clients.project, &OpenProject::databaseChanged, this, [this] {
        m_clients.history.refreshThreads();
        readAgain();
    });
}

void ClientFeed::feedBook()
{
    ThreadBook* book = &m_owners.book;
    connect(&m_clients.history, &HistoryClient::threadsLoaded, book, &ThreadBook::setThreads);
    connect(&m_clients.notes, &NotesClient::loaded, book, &ThreadBook::setNotes);
    connect(book, &ThreadBook::labelEdited, &m_clients.notes, &NotesClient::setLabel);
    connect(&m_clients.runs, &RunsClient::runStarted, book, [book](const QString& thread) {
        book->keep(thread);
        book->setStatus(thread, RunStatus::Running);
    });
    connect(&m_clients.runs, &RunsClient::runFinished, book, [book](const QString& thread, RunStatus status) {
        book->setStatus(thread, status == RunStatus::RecursionLimit ? RunStatus::Failed : status);
    });
    connect(&m_clients.runs, &RunsClient::forked, book, &ThreadBook::keep);
    connect(&m_clients.upkeep, &UpkeepClient::threadImported, book,
            [book](const ThreadBundle& bundle, const UserError& error) {
                if (error.what.isEmpty())
                    book->keep(bundle.thread);
            });
    connect(&m_clients.project, &OpenProject::closing, book, [this, book] {
        m_clients.upkeep.removeThreads(book->deleted());
        book->forgetDeleted();
    });
}

void ClientFeed::feedHistory()
{
    ShownHistory* history = &m_owners.history;
    connect(&m_owners.selection, &Selection::threadChanged, this, &ClientFeed::readHistory);
    connect(&m_clients.history, &HistoryClient::historyLoaded, this, &ClientFeed::takeHistory);
    connect(&m_clients.history, &HistoryClient::historyExtended, history, &ShownHistory::takePage);
    connect(&m_clients.runs, &RunsClient::checkpointsAdded, history, &ShownHistory::add);
    connect(&m_clients.runs, &RunsClient::tasksChanged, history, &ShownHistory::changeTasks);
    connect(&m_clients.upkeep, &UpkeepClient::storagePruned, this,
            [this](const PruneOutcome& outcome, const UserError& error) {
                if (outcome.wish.isDryRun || !error.what.isEmpty())
                    return;
                m_clients.history.refreshThreads();
                m_clients.history.loadHistory(m_owners.selection.thread());
            });
    // By then it is known what was kept of the sandbox at each checkpoint.
    connect(&m_clients.runs, &RunsClient::runFinished, this, [this](const QString& thread) {
        if (thread == m_owners.selection.thread())
            m_clients.history.loadHistory(thread);
    });
}

void ClientFeed::readHistory()
{
    const QString& thread = m_owners.selection.thread();
    if (m_owners.book.contains(thread))
        m_clients.history.loadHistory(thread);
}

void ClientFeed::readAgain()
{
    readHistory();
    Q_EMIT readsAgain();
}

void ClientFeed::takeHistory(const HistoryRows& rows)
{
    if (rows.thread != m_owners.selection.thread())
        return;
    m_owners.history.take(rows);
    if (m_owners.history.needsWhole()) {
        m_owners.history.expectWhole(m_owners.history.total());
        m_clients.history.loadWholeHistory(rows.thread);
    }
}

} // namespace sg::ui
