#include "ui/usage/usage_feed.h"

#include "ui/bridge/clients.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"
#include "ui/selection/thread_book.h"
#include "ui/usage/usage_panel.h"
#include "ui/widgets/sight.h"

#include <algorithm>

namespace sg::ui {
namespace {

constexpr int kSoonMs = 200; // after the cursor stands still

} // namespace

UsageFeed::UsageFeed(const PanelParts& parts, UsagePanel& panel)
    : QObject(&panel)
    , m_parts(parts)
    , m_panel(panel)
{
    m_soon.setSingleShot(true);
    m_soon.setInterval(kSoonMs);
    connect(&m_soon, &QTimer::timeout, this, &UsageFeed::ask);
    readFor(panel);
    follow();
    keepPrices();
}

void UsageFeed::readFor(QWidget& other)
{
    auto* sight = new Sight(other);
    m_readers.push_back(sight);
    connect(sight, &QObject::destroyed, this, [this, sight] { std::erase(m_readers, sight); });
    connect(sight, &Sight::came, &m_soon, qOverload<>(&QTimer::start));
}

void UsageFeed::follow()
{
    const Selection* selection = &m_parts.selection;
    connect(selection, &Selection::threadChanged, this, [this] {
        m_asked.reset(); // an answer under way is another thread's
        show({});
        m_soon.start();
    });
    connect(selection, &Selection::checkpointChanged, this, [this] {
        m_asked.reset();
        m_soon.start();
    });
    connect(selection, &Selection::nodeChanged, this, &UsageFeed::tellLine);
    connect(&m_parts.clients.history, &HistoryClient::historyLoaded, &m_soon, qOverload<>(&QTimer::start));
    connect(&m_parts.clients.project, &OpenProject::closing, this, [this] {
        m_asked.reset();
        show({});
    });
    connect(&m_parts.clients.search, &SearchClient::usageLoaded, this, [this](const UsageRows& usage) {
        if (usage.thread == m_parts.selection.thread() && usage.checkpoint == m_asked)
            show(usage);
    });
}

void UsageFeed::keepPrices()
{
    SearchClient* client = &m_parts.clients.search;
    connect(&m_panel, &UsagePanel::readAgain, client, &SearchClient::loadPrices); // then it is summed up
    connect(&m_panel, &UsagePanel::pricesWanted, client, &SearchClient::loadPrices);
    connect(&m_panel, &UsagePanel::pricesChanged, client, &SearchClient::keepPrices);
    connect(&m_parts.clients.project, &OpenProject::opened, client, &SearchClient::loadPrices);
    connect(client, &SearchClient::pricesLoaded, this, [this](const PriceTable& prices) {
        m_panel.setPrices(prices);
        m_soon.start();
    });
}

void UsageFeed::ask()
{
    const QString& thread = m_parts.selection.thread();
    if (!m_parts.book.contains(thread)) {
        show({});
    } else if (std::ranges::any_of(m_readers, [](const Sight* reader) { return reader->isSeen(); })) {
        m_asked = m_parts.history.current();
        m_parts.clients.search.loadUsage(thread, *m_asked);
    }
}

void UsageFeed::show(const UsageRows& usage)
{
    m_shown = usage;
    m_panel.setUsage(usage);
    tellLine();
}

// Shows the selected node's usage, else that of the whole way.
void UsageFeed::tellLine()
{
    const QString& selected = m_parts.selection.node();
    const auto node = std::ranges::find(m_shown.nodes, selected, &UsageRow::name);
    const bool hasNode = !selected.isEmpty() && node != m_shown.nodes.end();
    Q_EMIT m_panel.lineChanged(hasNode ? tr("%1: %2").arg(node->name, usageLine(*node, m_shown.currency))
                                       : usageLine(m_shown.sum, m_shown.currency));
}

} // namespace sg::ui
