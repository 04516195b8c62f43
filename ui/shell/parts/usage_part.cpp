#include "ui/shell/parts/usage_part.h"

#include "ui/bridge/clients.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"
#include "ui/selection/thread_book.h"
#include "ui/shell/dock_layout.h"
#include "ui/state/state_panel.h"
#include "ui/usage/usage_panel.h"
#include "ui/widgets/icons.h"

#include <QAction>
#include <QMainWindow>
#include <QTimer>

#include <algorithm>

namespace sg::ui {
namespace {

constexpr int kUsageSoonMs = 200; // after the cursor stands still

} // namespace

UsagePart::UsagePart(const WindowParts& parts, UsagePanel& panel, StatePanel& state)
    : WindowPart(parts)
    , m_usage(&panel)
    , m_state(&state)
{
    m_showUsage = new QAction(icon(QLatin1String("llm")), tr("&Tokens, cost and time of models"), m_window);
    connect(m_showUsage, &QAction::triggered, this, [this] { m_docks->raise(m_usage); });
    connect(m_state, &StatePanel::usageRequested, m_showUsage, &QAction::trigger);
    m_usageSoon = new QTimer(this);
    m_usageSoon->setSingleShot(true);
    m_usageSoon->setInterval(kUsageSoonMs);
    connect(m_usageSoon, &QTimer::timeout, this, [this] {
        if (!m_book->contains(m_selection->thread())) {
            showUsage({});
        } else if (m_docks->isSeen(m_state) || m_docks->isSeen(m_usage)) {
            m_usageAsked = m_history->current();
            m_clients->search.loadUsage(m_selection->thread(), *m_usageAsked);
        }
    });
    connect(m_docks, &DockLayout::cameToBeSeen, this, [this](const QWidget* seen) {
        if (seen == m_state || seen == m_usage)
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
    connect(m_selection, &Selection::nodeChanged, this, &UsagePart::showUsageLine);
    connect(&m_clients->history, &HistoryClient::historyLoaded, this, &UsagePart::askUsage);
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

void UsagePart::askUsage()
{
    m_usageSoon->start();
}

void UsagePart::showUsage(const UsageRows& usage)
{
    m_usageShown = usage;
    m_usage->setUsage(usage);
    showUsageLine();
}

// For what is selected: a node's part where one is, else the whole way.
void UsagePart::showUsageLine()
{
    const UsageRows& usage = m_usageShown;
    const auto node = std::ranges::find(usage.nodes, m_selection->node(), &UsageRow::name);
    const bool hasNode = !m_selection->node().isEmpty() && node != usage.nodes.end();
    m_state->setUsage(hasNode ? tr("%1: %2").arg(node->name, usageLine(*node, usage.currency))
                              : usageLine(usage.sum, usage.currency));
}

} // namespace sg::ui
