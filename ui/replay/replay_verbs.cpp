#include "ui/replay/replay_verbs.h"

#include "ui/bridge/clients.h"
#include "ui/replay/replay_feed.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"
#include "ui/selection/thread_book.h"
#include "ui/widgets/icons.h"

#include <QAction>

namespace sg::ui {
namespace {

void offer(QAction& verb, bool isEnabled, const QString& tip)
{
    verb.setEnabled(isEnabled);
    verb.setToolTip(tip);
}

QString keysOf(const QAction& verb)
{
    return verb.shortcut().toString(QKeySequence::NativeText);
}

QString busyWords()
{
    return ReplayVerbs::tr("A run is under way on this thread: stop it first");
}

QString readOnlyWords()
{
    return ReplayVerbs::tr("Only its checkpoints were opened: open the project to run it");
}

QString refusalWords(ReplayRefusal refusal)
{
    switch (refusal) {
    case ReplayRefusal::None: break;
    case ReplayRefusal::NoCheckpoint:
        return ReplayVerbs::tr("Run the thread first: there is no checkpoint to go back to");
    case ReplayRefusal::NothingLeft:
        return ReplayVerbs::tr("Nothing is left to run from this step: fork it and change a value");
    case ReplayRefusal::WaitsForAnswer:
        return ReplayVerbs::tr("This step waits for your answer: answer it to go on");
    }
    return {};
}

} // namespace

ReplayVerbs::ReplayVerbs(const PanelParts& parts, ReplayFeed& feed)
    : QObject(&feed)
    , m_parts(parts)
    , m_feed(feed)
    , m_replay(new QAction(icon(QLatin1String("replay")), tr("&Replay from here…"), this))
    , m_fork(new QAction(icon(QLatin1String("fork")), tr("&Fork from here…"), this))
    , m_rerun(new QAction(icon(QLatin1String("replay")), tr("Re-run this &node…"), this))
    , m_runTo(new QAction(icon(QLatin1String("step")), tr("Run &to this node…"), this))
{
    create();
    follow();
    update();
}

void ReplayVerbs::create()
{
    m_replay->setIconText(tr("Replay…"));
    m_replay->setShortcut(QKeySequence(QStringLiteral("Ctrl+R")));
    m_fork->setIconText(tr("Fork…"));
    m_fork->setShortcut(QKeySequence(QStringLiteral("Ctrl+Shift+R")));
    m_rerun->setShortcut(QKeySequence(QStringLiteral("Ctrl+Alt+R")));
    m_runTo->setShortcut(QKeySequence(QStringLiteral("Ctrl+F10")));
    connect(m_replay, &QAction::triggered, this, [this] { m_feed.preview(ReplayVerb::Replay); });
    connect(m_fork, &QAction::triggered, this, [this] {
        if (m_parts.clients.project.info().isReadOnly)
            Q_EMIT copyWanted();
        else
            m_feed.preview(ReplayVerb::Fork);
    });
    connect(m_rerun, &QAction::triggered, &m_feed, &ReplayFeed::previewRerun);
    connect(m_runTo, &QAction::triggered, &m_feed, &ReplayFeed::previewRunTo);
}

void ReplayVerbs::follow()
{
    connect(&m_parts.selection, &Selection::nodeChanged, this, &ReplayVerbs::update);
    connect(&m_parts.history, &ShownHistory::currentChanged, this, &ReplayVerbs::update);
    connect(&m_parts.history, &ShownHistory::changed, this, [this](const HistoryChange& change) {
        if (!change.isLive())
            update();
    });
    connect(&m_parts.book, &ThreadBook::listed, this, &ReplayVerbs::update);
    connect(&m_parts.book, &ThreadBook::statusChanged, this, &ReplayVerbs::update);
    connect(&m_parts.clients.project, &OpenProject::opened, this, &ReplayVerbs::update);
}

void ReplayVerbs::update()
{
    updateNodeVerbs();
    if (m_parts.history.isAwaiting()) { // else it would be done from the head
        const QString reading = tr("The history up to this step is still being read");
        offer(*m_replay, false, reading);
        offer(*m_fork, false, reading);
        return;
    }
    const ReplayRefusal refusal = replayRefusal(m_parts.history.rows(), m_parts.history.current());
    const ProjectInfo& info = m_parts.clients.project.info();
    if (info.isReadOnly) {
        offer(*m_replay, false, readOnlyWords());
        offer(*m_fork, refusal != ReplayRefusal::NoCheckpoint,
              tr("Copy this file into a project of its own, to go on there"));
        return;
    }
    const bool running = m_parts.book.isRunning(m_parts.selection.thread());
    const bool mayFork = refusal != ReplayRefusal::NoCheckpoint && !running && info.isReadable;
    offer(*m_fork, mayFork,
          mayFork
              ? tr("Change values of this step and go on from it as a new branch (%1)").arg(keysOf(*m_fork))
              : running ? busyWords()
                        : refusalWords(ReplayRefusal::NoCheckpoint));
    const bool mayReplay = mayFork && refusal == ReplayRefusal::None;
    offer(*m_replay, mayReplay,
          mayReplay     ? tr("Run again from this step as a new branch (%1)").arg(keysOf(*m_replay))
              : running ? busyWords()
                        : refusalWords(refusal));
}

QString ReplayVerbs::whyNoNode(ReplayRefusal refusal) const
{
    if (m_parts.history.isAwaiting())
        return tr("The history up to this step is still being read");
    if (m_parts.clients.project.info().isReadOnly)
        return readOnlyWords();
    if (m_parts.book.isRunning(m_parts.selection.thread()))
        return busyWords();
    return refusal == ReplayRefusal::NoCheckpoint ? refusalWords(refusal) : QString();
}

void ReplayVerbs::updateNodeVerbs()
{
    const HistoryRows& rows = m_parts.history.rows();
    const QString checkpoint = m_parts.history.current();
    const QString& node = m_parts.selection.node();
    const QString refusal = whyNoNode(replayRefusal(rows, checkpoint));
    const QString start =
        node.isEmpty() || !refusal.isEmpty() ? QString() : lastStartOf(rows, checkpoint, node);
    offer(*m_rerun, !start.isEmpty(),
          !refusal.isEmpty()    ? refusal
              : node.isEmpty()  ? tr("Choose a node first")
              : start.isEmpty() ? tr("%1 did not run on the way to this step").arg(node)
                                : tr("Run %1 alone once more: what ran beside it is reused").arg(node));
    const CheckpointRow at = m_parts.history.row(checkpoint);
    const bool isNext = at.next.contains(node);
    offer(*m_runTo, refusal.isEmpty() && !node.isEmpty() && !at.next.isEmpty() && !isNext,
          !refusal.isEmpty()      ? refusal
              : node.isEmpty()    ? tr("Choose a node first")
              : isNext            ? tr("%1 is what runs next").arg(node)
              : at.next.isEmpty() ? refusalWords(ReplayRefusal::NothingLeft)
                                  : tr("Run from this step and pause before %1").arg(node));
}

} // namespace sg::ui
