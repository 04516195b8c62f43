#include "ui/state/state_feed.h"

#include "ui/bridge/clients.h"
#include "ui/selection/client_feed.h"
#include "ui/selection/pause.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"
#include "ui/selection/thread_book.h"
#include "ui/state/raw_view.h"
#include "ui/state/state_panel.h"
#include "ui/widgets/icons.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>

namespace sg::ui {
namespace {

constexpr int kOriginLimit = 2; // a value's origin, and the one before
constexpr int kHistoryLimit = 200;
constexpr int kWayGiven = 2000; // checkpoints: what lies behind them is found in the database

} // namespace

StateFeed::StateFeed(const PanelParts& parts, StatePanel& panel)
    : QObject(&panel)
    , m_parts(parts)
    , m_panel(panel)
    , m_pin(new QAction(icon(QLatin1String("compare")), tr("&Compare other steps with this one"), this))
    , m_raw(new QAction(icon(QLatin1String("file")), tr("Raw &bytes of this checkpoint…"), this))
{
    m_pin->setShortcut(QKeySequence(QStringLiteral("Ctrl+D")));
    m_pin->setCheckable(true);
    connect(m_pin, &QAction::triggered, this, [this] { compareWith(m_parts.selection.base().isEmpty()); });
    connect(&m_panel, &StatePanel::readAgain, this, &StateFeed::load);
    connect(&m_panel, &StatePanel::checkpointChosen, &m_parts.history, &ShownHistory::goTo);
    connect(&m_panel, &StatePanel::baseRequested, this, &StateFeed::compareWith);
    HistoryClient* client = &m_parts.clients.history;
    connect(&m_panel, &StatePanel::patchRequested, client, &HistoryClient::makePatch);
    connect(client, &HistoryClient::patchMade, this,
            [](const QString& json) { QGuiApplication::clipboard()->setText(json); });
    connect(client, &HistoryClient::stateLoaded, this, &StateFeed::show);
    connect(client, &HistoryClient::stateFailed, this, [this](const QString& thread, const UserError& error) {
        if (thread == m_parts.selection.thread())
            m_panel.setError(error);
    });
    traceOrigins();
    followSelection();
    followHistory();
    followRuns();
    offerBytes();
}

void StateFeed::show(const StateView& state)
{
    if (state.thread != m_parts.selection.thread())
        return;
    StateView shown = state;
    if (!pausedBefore(state, m_parts.book, m_parts.selection).isEmpty())
        for (TaskRow& task : shown.tasks)
            task.outcome = TaskOutcome::Paused;
    m_panel.setState(shown);
}

void StateFeed::followSelection()
{
    const Selection* selection = &m_parts.selection;
    connect(selection, &Selection::threadChanged, this, [this] {
        m_panel.clear(); // never another thread's values under this one's name
        load();
    });
    connect(selection, &Selection::checkpointChanged, this, &StateFeed::load);
    connect(selection, &Selection::baseChanged, this, [this] {
        showBase();
        load();
    });
}

void StateFeed::followHistory()
{
    const auto look = [this] {
        showRewind();
        m_pin->setEnabled(!m_parts.history.isAwaiting()); // else others would be compared with the head
    };
    connect(&m_parts.history, &ShownHistory::currentChanged, this, look);
    connect(&m_parts.history, &ShownHistory::changed, this, [look](const HistoryChange& change) {
        if (!change.isLive())
            look();
    });
    connect(&m_parts.book, &ThreadBook::listed, this, look);
    connect(&m_parts.book, &ThreadBook::statusChanged, this, look);
    look();
}

void StateFeed::showRewind()
{
    const CheckpointRow shown = m_parts.history.row(m_parts.history.current());
    m_panel.setRewind(shown.sandbox, shown.sandboxNote);
}

void StateFeed::followRuns()
{
    connect(&m_parts.feed, &ClientFeed::readsAgain, this, &StateFeed::load);
    const auto loadHead = [this] {
        if (m_parts.selection.isAtHead())
            load();
    };
    connect(&m_parts.history, &ShownHistory::wentOn, this, loadHead);
    connect(&m_parts.clients.runs, &RunsClient::runFinished, this, [this, loadHead](const QString& thread) {
        if (thread == m_parts.selection.thread())
            loadHead();
    });
}

void StateFeed::traceOrigins()
{
    HistoryClient* client = &m_parts.clients.history;
    const auto ask = [this, client](const QString& pointer, bool wantsOrigin) {
        m_wantsOrigin = wantsOrigin;
        QStringList way = m_parts.history.wayTo(m_parts.history.current(), kWayGiven);
        if (m_parts.history.isAwaiting()) // the cursor is not there yet
            way = QStringList(m_parts.selection.checkpoint());
        client->traceValue(m_parts.selection.thread(), way, pointer,
                           wantsOrigin ? kOriginLimit : kHistoryLimit);
    };
    connect(&m_panel, &StatePanel::originRequested, this,
            [ask](const QString& pointer) { ask(pointer, true); });
    connect(&m_panel, &StatePanel::historyRequested, this,
            [ask](const QString& pointer) { ask(pointer, false); });
    connect(client, &HistoryClient::valueTraced, this, &StateFeed::takeTrace);
}

void StateFeed::takeTrace(const ValueTraceRows& trace)
{
    if (trace.thread != m_parts.selection.thread() || trace.origins.empty())
        return;
    if (!m_wantsOrigin) {
        m_panel.setTrace(trace);
        return;
    }
    // Asked at the origin itself, the one before is meant.
    const bool isHere = trace.origins.front().checkpoint == trace.checkpoint && trace.origins.size() > 1;
    const ValueOriginRow& origin = trace.origins[isHere ? 1 : 0];
    m_parts.history.goTo(origin.checkpoint);
    if (!origin.writtenBy.isEmpty())
        m_parts.selection.setNode(origin.writtenBy.front());
}

void StateFeed::compareWith(bool current)
{
    m_parts.selection.setBase(current ? m_parts.history.current() : QString());
}

void StateFeed::showBase()
{
    const QString& base = m_parts.selection.base();
    m_pin->setChecked(!base.isEmpty());
    m_panel.setBase(m_parts.history.label(base));
}

void StateFeed::load()
{
    const Selection& selection = m_parts.selection;
    if (m_parts.book.contains(selection.thread()))
        m_parts.clients.history.loadState(selection.thread(), selection.checkpoint(), selection.base());
    else
        m_panel.clear();
}

void StateFeed::offerBytes()
{
    updateRaw();
    connect(&m_parts.history, &ShownHistory::changed, this, &StateFeed::updateRaw);
    connect(&m_parts.history, &ShownHistory::currentChanged, this, &StateFeed::updateRaw);
    connect(&m_parts.clients.project, &OpenProject::opened, this, &StateFeed::updateRaw);
    connect(m_raw, &QAction::triggered, this, [this] { showBytes({}); });
    connect(&m_panel, &StatePanel::rawRequested, this, &StateFeed::showBytes);
}

void StateFeed::showBytes(const QString& pointer)
{
    if (m_bytes == nullptr) {
        m_bytes = new RawView(m_panel.window());
        SearchClient* client = &m_parts.clients.search;
        connect(m_bytes, &RawView::pageRequested, client, &SearchClient::loadRaw);
        connect(m_bytes, &RawView::saveRequested, client, &SearchClient::saveRaw);
        connect(client, &SearchClient::rawLoaded, m_bytes, &RawView::setPage);
        connect(client, &SearchClient::rawSaved, m_bytes, &RawView::setSaved);
        connect(&m_parts.clients.project, &OpenProject::closing, m_bytes, &QWidget::hide);
    }
    m_bytes->open({ m_parts.selection.thread(), rawCheckpoint(), pointer });
}

QString StateFeed::rawCheckpoint() const
{
    const QString& selected = m_parts.selection.checkpoint();
    return selected.isEmpty() ? m_parts.history.current() : selected;
}

void StateFeed::updateRaw()
{
    const bool isOpen = m_parts.clients.project.isOpen();
    m_raw->setEnabled(isOpen && !rawCheckpoint().isEmpty());
    m_raw->setToolTip(!isOpen                  ? tr("No project is open")
                          : m_raw->isEnabled() ? tr("The bytes as they stand in the database")
                                               : tr("This thread has no checkpoint yet"));
}

} // namespace sg::ui
