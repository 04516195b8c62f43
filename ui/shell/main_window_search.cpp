#include "ui/run/thread_list.h"
#include "ui/search/search_panel.h"
#include "ui/selection/selection.h"
#include "ui/shell/dock_layout.h"
#include "ui/shell/main_window.h"
#include "ui/state/raw_view.h"
#include "ui/state/state_panel.h"
#include "ui/timeline/timeline_panel.h"
#include "ui/usage/usage_panel.h"
#include "ui/widgets/icons.h"

#include <QAction>
#include <QTimer>

#include <algorithm>

// What is looked for, what models took, and the bytes of values.
namespace sg::ui {

namespace {

constexpr int kUsageSoonMs = 200; // after the cursor stands still

QStringList checkpointsOf(const std::vector<SearchHit>& marks, const QString& thread)
{
    QStringList checkpoints;
    for (const SearchHit& mark : marks)
        if (mark.thread == thread && !mark.checkpoint.isEmpty())
            checkpoints << mark.checkpoint;
    return checkpoints;
}

} // namespace

void MainWindow::connectSearch()
{
    m_find = new QAction(icon(QLatin1String("search")), tr("&Find runs, checkpoints and lines…"), this);
    m_find->setShortcut(QKeySequence(QStringLiteral("Ctrl+Alt+F")));
    connect(m_find, &QAction::triggered, this, [this] {
        m_docks->raise(m_search);
        m_search->focusLine();
    });
    connect(m_search, &SearchPanel::searchRequested, &m_clients->search, &SearchClient::search);
    connect(m_search, &SearchPanel::sqlRequested, &m_clients->search, &SearchClient::runSql);
    connect(&m_clients->search, &SearchClient::searched, m_search, &SearchPanel::setFound);
    connect(&m_clients->search, &SearchClient::sqlAnswered, m_search, &SearchPanel::setAnswer);
    connect(&m_clients->project, &OpenProject::closing, m_search, &SearchPanel::clear);
    connect(&m_clients->runs, &RunsClient::runFinished, m_search, &SearchPanel::askAgain);
    connect(&m_clients->project, &OpenProject::databaseChanged, m_search, &SearchPanel::askAgain);
    connect(&m_clients->history, &HistoryClient::threadsLoaded, this,
            [this](const std::vector<ThreadRow>& rows) {
                query::Vocabulary words;
                for (const graph::Node& node : m_info.graph.nodes)
                    words.nodes.push_back(node.name.value);
                for (const ThreadRow& row : rows)
                    words.threads.push_back(row.thread.toStdString());
                m_search->setVocabulary(std::move(words));
            });
    // The first question reads the whole history: while its words are being typed.
    connect(m_docks, &DockLayout::cameToBeSeen, this, [this](const QWidget* panel) {
        if (panel == m_search && !m_search->hasAsked())
            m_clients->search.readAhead();
    });
    connect(m_search, &SearchPanel::hitChosen, this, [this](const SearchHit& hit) {
        if (hit.thread.isEmpty()) // SQL may say NULL
            return;
        m_selection->setThread(hit.thread);
        if (hit.checkpoint.isEmpty())
            return;
        if (m_timeline->count() > 0 && !m_timeline->isAwaiting())
            goTo(hit.checkpoint);
        else
            m_selection->setCheckpoint(hit.checkpoint);
        if (!hit.node.isEmpty() && !hit.node.contains(QLatin1String(", ")))
            m_selection->setNode(hit.node);
    });
    const auto mark = [this](const std::vector<SearchHit>& marks) {
        m_found = marks;
        m_timeline->setFound(checkpointsOf(m_found, m_selection->thread()));
    };
    connect(m_search, &SearchPanel::marksChanged, this, mark);
    connect(m_selection, &Selection::threadChanged, this,
            [this](const QString& thread) { m_timeline->setFound(checkpointsOf(m_found, thread)); });
}

void MainWindow::connectUsage()
{
    m_showUsage = new QAction(icon(QLatin1String("llm")), tr("&Tokens, cost and time of models"), this);
    connect(m_showUsage, &QAction::triggered, this, [this] { m_docks->raise(m_usage); });
    connect(m_state, &StatePanel::usageRequested, m_showUsage, &QAction::trigger);
    m_usageSoon = new QTimer(this);
    m_usageSoon->setSingleShot(true);
    m_usageSoon->setInterval(kUsageSoonMs);
    connect(m_usageSoon, &QTimer::timeout, this, [this] {
        if (!m_threads->threads().contains(m_selection->thread())) {
            showUsage({});
        } else if (m_docks->isSeen(m_state) || m_docks->isSeen(m_usage)) {
            m_usageAsked = m_timeline->current();
            m_clients->search.loadUsage(m_selection->thread(), *m_usageAsked);
        }
    });
    connect(m_docks, &DockLayout::cameToBeSeen, this, [this](const QWidget* panel) {
        if (panel == m_state || panel == m_usage)
            askUsage();
    });
    connect(m_selection, &Selection::threadChanged, this, [this] {
        m_usageAsked.reset(); // an answer under way is another thread's
        showUsage({});
        askUsage();
    });
    connect(m_selection, &Selection::checkpointChanged, this, [this] {
        m_usageAsked.reset();
        askUsage();
    });
    connect(m_selection, &Selection::nodeChanged, this, &MainWindow::showUsageLine);
    connect(&m_clients->history, &HistoryClient::historyLoaded, this, &MainWindow::askUsage);
    connect(m_usage, &UsagePanel::readAgain, &m_clients->search,
            &SearchClient::loadPrices); // then it is summed up
    connect(m_usage, &UsagePanel::pricesWanted, &m_clients->search, &SearchClient::loadPrices);
    connect(m_usage, &UsagePanel::pricesChanged, &m_clients->search, &SearchClient::keepPrices);
    connect(&m_clients->project, &OpenProject::opened, &m_clients->search, &SearchClient::loadPrices);
    connect(&m_clients->project, &OpenProject::closing, this, [this] {
        m_usageAsked.reset();
        showUsage({});
    });
    connect(&m_clients->search, &SearchClient::pricesLoaded, this, [this](const PriceTable& prices) {
        m_usage->setPrices(prices);
        askUsage();
    });
    connect(&m_clients->search, &SearchClient::usageLoaded, this, [this](const UsageRows& usage) {
        if (usage.thread == m_selection->thread() && usage.checkpoint == m_usageAsked)
            showUsage(usage);
    });
}

void MainWindow::askUsage()
{
    m_usageSoon->start();
}

void MainWindow::showUsage(const UsageRows& usage)
{
    m_usageShown = usage;
    m_usage->setUsage(usage);
    showUsageLine();
}

// For what is selected: a node's part where one is, else the whole way.
void MainWindow::showUsageLine()
{
    const UsageRows& usage = m_usageShown;
    const auto node = std::ranges::find(usage.nodes, m_selection->node(), &UsageRow::name);
    const bool hasNode = !m_selection->node().isEmpty() && node != usage.nodes.end();
    m_state->setUsage(hasNode ? tr("%1: %2").arg(node->name, usageLine(*node, usage.currency))
                              : usageLine(usage.sum, usage.currency));
}

void MainWindow::connectRaw()
{
    m_showRaw = new QAction(icon(QLatin1String("file")), tr("Raw &bytes of this checkpoint…"), this);
    showRawVerb();
    const auto show = [this](const QString& pointer) {
        if (m_raw == nullptr) {
            m_raw = new RawView(this);
            connect(m_raw, &RawView::pageRequested, &m_clients->search, &SearchClient::loadRaw);
            connect(m_raw, &RawView::saveRequested, &m_clients->search, &SearchClient::saveRaw);
            connect(&m_clients->search, &SearchClient::rawLoaded, m_raw, &RawView::setPage);
            connect(&m_clients->search, &SearchClient::rawSaved, m_raw, &RawView::setSaved);
            connect(&m_clients->project, &OpenProject::closing, m_raw, &QWidget::hide);
        }
        m_raw->open({ m_selection->thread(), rawCheckpoint(), pointer });
    };
    // Behind those that change what the timeline shows.
    connect(m_selection, &Selection::threadChanged, this, &MainWindow::showRawVerb, Qt::QueuedConnection);
    connect(&m_clients->runs, &RunsClient::checkpointsAdded, this, &MainWindow::showRawVerb,
            Qt::QueuedConnection);
    connect(m_showRaw, &QAction::triggered, this, [show] { show({}); });
    connect(m_state, &StatePanel::rawRequested, this, show);
    connect(m_state, &StatePanel::readAgain, this, [this] {
        m_clients->history.loadState(m_selection->thread(), m_selection->checkpoint(), m_base);
    });
}

QString MainWindow::rawCheckpoint() const
{
    return m_selection->checkpoint().isEmpty() ? m_timeline->current() : m_selection->checkpoint();
}

void MainWindow::showRawVerb()
{
    if (m_showRaw == nullptr) // it is not made yet
        return;
    const bool isOpen = m_clients->project.isOpen();
    m_showRaw->setEnabled(isOpen && !rawCheckpoint().isEmpty());
    m_showRaw->setToolTip(!isOpen                      ? tr("No project is open")
                              : m_showRaw->isEnabled() ? tr("The bytes as they stand in the database")
                                                       : tr("This thread has no checkpoint yet"));
}

} // namespace sg::ui
