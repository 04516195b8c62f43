#include "ui/shell/parts/values_part.h"

#include "ui/bridge/clients.h"
#include "ui/replay/replay_panel.h"
#include "ui/selection/client_feed.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"
#include "ui/selection/thread_book.h"
#include "ui/shell/parts/run_banners.h"
#include "ui/state/state_panel.h"
#include "ui/widgets/icons.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QMainWindow>

namespace sg::ui {
namespace {

constexpr int kOriginLimit = 2; // a value's origin, and the one before
constexpr int kHistoryLimit = 200;
constexpr int kWayGiven = 2000; // checkpoints: what lies behind them is found in the database

} // namespace

ValuesPart::ValuesPart(const WindowParts& parts, StatePanel& state, ReplayPanel& replay)
    : WindowPart(parts)
    , m_state(&state)
    , m_replay(&replay)
{
    m_compare =
        new QAction(icon(QLatin1String("compare")), tr("&Compare other steps with this one"), m_window);
    m_compare->setShortcut(QKeySequence(QStringLiteral("Ctrl+D")));
    m_compare->setCheckable(true);
    connect(m_compare, &QAction::triggered, this, [this] { compareWith(m_selection->base().isEmpty()); });
    connect(m_state, &StatePanel::readAgain, this, &ValuesPart::loadState);
    connect(m_state, &StatePanel::checkpointChosen, m_history, &ShownHistory::goTo);
    connect(m_state, &StatePanel::baseRequested, this, &ValuesPart::compareWith);
    connect(m_state, &StatePanel::patchRequested, &m_clients->history, &HistoryClient::makePatch);
    connect(&m_clients->history, &HistoryClient::patchMade, this,
            [](const QString& json) { QGuiApplication::clipboard()->setText(json); });
    connectOrigins();
    followSelection();
}

void ValuesPart::followSelection()
{
    connect(&m_clients->history, &HistoryClient::stateLoaded, this, [this](const StateView& state) {
        if (state.thread != m_selection->thread())
            return;
        StateView shown = state;
        if (!pausedBefore(state, *m_book, *m_selection).isEmpty())
            for (TaskRow& task : shown.tasks)
                task.outcome = TaskOutcome::Paused;
        m_state->setState(shown);
        m_replay->setState(state);
    });
    connect(&m_clients->history, &HistoryClient::stateFailed, this,
            [this](const QString& thread, const UserError& error) {
                if (thread == m_selection->thread())
                    m_state->setError(error);
            });
    connect(m_selection, &Selection::threadChanged, this, [this] {
        m_state->clear(); // never another thread's values under this one's name
        loadState();
    });
    connect(m_selection, &Selection::checkpointChanged, this, &ValuesPart::loadState);
    connect(m_selection, &Selection::baseChanged, this, [this] {
        showBase();
        loadState();
    });
    connect(m_parts.feed, &ClientFeed::readsAgain, this, &ValuesPart::loadState);
    const auto loadHead = [this] {
        if (m_selection->isAtHead())
            loadState();
    };
    connect(m_history, &ShownHistory::wentOn, this, loadHead);
    connect(&m_clients->runs, &RunsClient::runFinished, this, [this, loadHead](const QString& thread) {
        if (thread == m_selection->thread())
            loadHead();
    });
}

void ValuesPart::connectOrigins()
{
    const auto ask = [this](const QString& pointer, bool wantsOrigin) {
        m_wantsOrigin = wantsOrigin;
        QStringList way = m_history->wayTo(m_history->current(), kWayGiven);
        if (m_history->isAwaiting()) // the cursor is not there yet
            way = QStringList(m_selection->checkpoint());
        m_clients->history.traceValue(m_selection->thread(), way, pointer,
                                      wantsOrigin ? kOriginLimit : kHistoryLimit);
    };
    connect(m_state, &StatePanel::originRequested, this,
            [ask](const QString& pointer) { ask(pointer, true); });
    connect(m_state, &StatePanel::historyRequested, this,
            [ask](const QString& pointer) { ask(pointer, false); });
    connect(&m_clients->history, &HistoryClient::valueTraced, this, [this](const ValueTraceRows& trace) {
        if (trace.thread != m_selection->thread() || trace.origins.empty())
            return;
        if (!m_wantsOrigin) {
            m_state->setTrace(trace);
            return;
        }
        // Asked at the origin itself, the one before is meant.
        const bool isHere = trace.origins.front().checkpoint == trace.checkpoint && trace.origins.size() > 1;
        const ValueOriginRow& origin = trace.origins[isHere ? 1 : 0];
        m_history->goTo(origin.checkpoint);
        if (!origin.writtenBy.isEmpty())
            m_selection->setNode(origin.writtenBy.front());
    });
}

void ValuesPart::compareWith(bool current)
{
    m_selection->setBase(current ? m_history->current() : QString());
}

void ValuesPart::showBase()
{
    const QString& base = m_selection->base();
    m_compare->setChecked(!base.isEmpty());
    m_state->setBase(m_history->label(base));
}

void ValuesPart::loadState()
{
    if (m_book->contains(m_selection->thread()))
        m_clients->history.loadState(m_selection->thread(), m_selection->checkpoint(), m_selection->base());
    else
        m_state->clear();
}

} // namespace sg::ui
