#include "ui/replay/replay_panel.h"
#include "ui/run/run_bar.h"
#include "ui/selection/selection.h"
#include "ui/shell/canvas_panel.h"
#include "ui/shell/dock_layout.h"
#include "ui/shell/main_window.h"
#include "ui/timeline/timeline_panel.h"
#include "ui/widgets/icons.h"

#include <QAction>

#include <algorithm>

// Replay and fork: what can be done from the selected checkpoint, previewed before anything runs.
namespace sg::ui {
namespace {

ReplayGraph replayGraph(const graph::Graph& graph)
{
    ReplayGraph known;
    for (const graph::Node& node : graph.nodes)
        known.kinds.insert(QString::fromStdString(node.name.value), QString::fromStdString(node.kind));
    for (const graph::Channel& channel : graph.channels) {
        const QString name = QString::fromStdString(channel.name);
        if (channel.type == graph::ChannelType::Reduce || channel.type == graph::ChannelType::Delta)
            known.rules.reduced.insert(name);
        if (channel.reducer == graph::Reducer::AddMessages)
            known.rules.locked.insert(name);
    }
    return known;
}

QString refusalWords(ReplayRefusal refusal)
{
    switch (refusal) {
    case ReplayRefusal::None: break;
    case ReplayRefusal::NoCheckpoint:
        return MainWindow::tr("Run the thread first: there is no checkpoint to go back to");
    case ReplayRefusal::NothingLeft:
        return MainWindow::tr("Nothing is left to run from this step: fork it and change a value");
    case ReplayRefusal::WaitsForAnswer:
        return MainWindow::tr("This step waits for your answer: answer it to go on");
    }
    return {};
}

} // namespace

void MainWindow::createReplay()
{
    m_replayAction = new QAction(icon(QLatin1String("replay")), tr("&Replay from here…"), this);
    m_replayAction->setIconText(tr("Replay…"));
    m_replayAction->setShortcut(QKeySequence(QStringLiteral("Ctrl+R")));
    m_forkAction = new QAction(icon(QLatin1String("fork")), tr("&Fork from here…"), this);
    m_forkAction->setIconText(tr("Fork…"));
    m_forkAction->setShortcut(QKeySequence(QStringLiteral("Ctrl+Shift+R")));
    m_timeline->addVerb(m_replayAction);
    m_timeline->addVerb(m_forkAction);
    connect(m_replayAction, &QAction::triggered, this, [this] { previewReplay(false); });
    connect(m_forkAction, &QAction::triggered, this, [this] { previewReplay(true); });
    connect(m_replay, &ReplayPanel::closed, this, [this] { m_docks->showPreview(false); });
    connect(m_replay, &ReplayPanel::replayRequested, m_bridge, &ProjectBridge::replay);
    connect(m_replay, &ReplayPanel::forkRequested, m_bridge, &ProjectBridge::fork);
    connect(m_bridge, &ProjectBridge::forked, this,
            [this](const QString& thread, const QString&) { branchMade(thread); });
    showVerbs();
}

void MainWindow::showVerbs()
{
    const QString checkpoint = m_timeline->current();
    ReplayRefusal refusal = replayRefusal(m_graph->history(), checkpoint);
    const bool running = isRunning(m_selection->thread());
    const QString busy = tr("A run is under way on this thread: stop it first");
    if (m_info.isReadOnly) {
        for (QAction* verb : { m_replayAction, m_forkAction }) {
            verb->setEnabled(false);
            verb->setToolTip(tr("Only its checkpoints were opened: open the project to run it"));
        }
        return;
    }
    const bool mayFork = refusal != ReplayRefusal::NoCheckpoint && !running && m_info.isReadable;
    m_forkAction->setEnabled(mayFork);
    m_forkAction->setToolTip(mayFork ? tr("Change values of this step and go on from it as a new branch (%1)")
                                           .arg(m_forkAction->shortcut().toString(QKeySequence::NativeText))
                                 : running ? busy
                                           : refusalWords(ReplayRefusal::NoCheckpoint));
    m_replayAction->setEnabled(mayFork && refusal == ReplayRefusal::None);
    m_replayAction->setToolTip(m_replayAction->isEnabled()
                                   ? tr("Run again from this step as a new branch (%1)")
                                         .arg(m_replayAction->shortcut().toString(QKeySequence::NativeText))
                                   : running ? busy
                                             : refusalWords(refusal));
}

void MainWindow::previewReplay(bool fork)
{
    const QString checkpoint = m_timeline->current();
    m_replay->setGraph(replayGraph(m_info.graph));
    m_docks->showPreview(true);
    m_replay->preview(fork ? ReplayPanel::Verb::Fork : ReplayPanel::Verb::Replay, m_graph->history(),
                      checkpoint);
    m_bridge->loadState(m_selection->thread(), checkpoint); // the values that can be changed
}

void MainWindow::branchMade(const QString& thread)
{
    if (thread != m_selection->thread())
        return;
    m_selection->returnToHead(); // the new branch's end is the newest
    m_bridge->loadHistory(thread);
    m_bridge->loadState(thread, {});
    m_bridge->refreshThreads();
}

} // namespace sg::ui
