#include "ui/replay/replay_feed.h"

#include "core/graph/node_kinds.h"
#include "ui/bridge/clients.h"
#include "ui/replay/replay_panel.h"
#include "ui/replay/replay_verbs.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"

#include <algorithm>

namespace sg::ui {
namespace {

bool runsCode(const graph::Graph& graph)
{
    return std::ranges::any_of(graph.nodes, [](const graph::Node& node) {
        return graph::usesSandbox(node) || (node.subgraph && runsCode(*node.subgraph));
    });
}

ReplayGraph replayGraph(const ProjectInfo& info)
{
    ReplayGraph known;
    known.mode = info.mode.name;
    known.hosts = info.mode.hosts;
    for (const graph::Node& node : info.graph.nodes) {
        const QString name = QString::fromStdString(node.name.value);
        known.kinds.insert(name, QString::fromStdString(node.kind));
        if (node.subgraph && runsCode(*node.subgraph))
            known.withCode.insert(name);
    }
    for (const graph::Channel& channel : info.graph.channels) {
        const QString name = QString::fromStdString(channel.name);
        if (channel.type == graph::ChannelType::Reduce || channel.type == graph::ChannelType::Delta)
            known.rules.reduced.insert(name);
        if (channel.reducer == graph::Reducer::AddMessages)
            known.rules.locked.insert(name);
    }
    return known;
}

} // namespace

ReplayFeed::ReplayFeed(const PanelParts& parts, ReplayPanel& panel)
    : QObject(&panel)
    , m_parts(parts)
    , m_panel(panel)
    , m_verbs(new ReplayVerbs(parts, *this))
{
    followHistory();
    passOn();
}

void ReplayFeed::followHistory()
{
    const ShownHistory* history = &m_parts.history;
    connect(history, &ShownHistory::currentChanged, this,
            [this] { m_panel.setViewed(m_parts.history.current()); });
    connect(history, &ShownHistory::changed, this, [this](const HistoryChange& change) {
        if (change.kind == HistoryChange::Kind::Cleared)
            m_panel.setViewed({});
    });
    connect(&m_parts.clients.history, &HistoryClient::stateLoaded, this, [this](const StateView& read) {
        if (read.thread == m_parts.selection.thread())
            m_panel.setState(read);
    });
    connect(&m_parts.clients.project, &OpenProject::closing, &m_panel, &ReplayPanel::close);
}

void ReplayFeed::passOn()
{
    const RunsClient* runs = &m_parts.clients.runs;
    connect(&m_panel, &ReplayPanel::replayRequested, runs, &RunsClient::replay);
    connect(&m_panel, &ReplayPanel::forkRequested, runs, &RunsClient::fork);
    connect(&m_panel, &ReplayPanel::rerunRequested, runs, &RunsClient::rerunNode);
    connect(runs, &RunsClient::runRefused, this, [this](const QString& thread, const UserError& error) {
        m_panel.setRefused(thread, error.what);
    });
    connect(runs, &RunsClient::forked, this, [this](const QString& thread) {
        m_panel.setForked(thread);
        showBranch(thread);
    });
}

void ReplayFeed::showBranch(const QString& thread)
{
    if (thread != m_parts.selection.thread())
        return;
    m_parts.selection.returnToHead(); // the new branch's end is the newest
    HistoryClient& history = m_parts.clients.history;
    history.loadHistory(thread);
    history.loadState(thread, {});
    history.refreshThreads();
}

void ReplayFeed::preview(ReplayVerb verb, const ReplayAim& aim)
{
    m_panel.mayLeave([this, verb, aim] {
        const ShownHistory& history = m_parts.history;
        const QString checkpoint = history.current();
        m_panel.setGraph(replayGraph(m_parts.clients.project.info()));
        m_panel.preview(verb, history.rows(), checkpoint, aim, history.depthOf(checkpoint));
        if (aim.until != ReplayAim::Until::Before) // the values that can be changed
            m_parts.clients.history.loadState(m_parts.selection.thread(), checkpoint);
    });
}

void ReplayFeed::previewFrom(const QString& checkpoint)
{
    if (checkpoint.isEmpty())
        return;
    m_parts.history.goTo(checkpoint);
    preview(ReplayVerb::Replay);
}

void ReplayFeed::previewRerun()
{
    const QString node = m_parts.selection.node();
    const QString start = lastStartOf(m_parts.history.rows(), m_parts.history.current(), node);
    if (start.isEmpty())
        return;
    m_panel.mayLeave([this, start, node] {
        m_parts.history.goTo(start);
        m_panel.setGraph(replayGraph(m_parts.clients.project.info()));
        m_panel.previewRerun(m_parts.history.rows(), start, node, m_parts.history.depthOf(start));
    });
}

void ReplayFeed::previewRunTo()
{
    preview(ReplayVerb::Replay, { ReplayAim::Until::Before, m_parts.selection.node() });
}

} // namespace sg::ui
