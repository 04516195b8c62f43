#include "ui/replay/replay_panel.h"

#include "core/base/json.h"
#include "ui/replay/patch_table.h"
#include "ui/replay/planned_tasks.h"
#include "ui/replay/replay_panel_impl.h"
#include "ui/replay/replay_section.h"
#include "ui/widgets/byte_format.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/rewind_sign.h"

#include <QComboBox>
#include <QKeyEvent>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalBlocker>

#include <algorithm>

namespace sg::ui {

void ReplayPanel::Impl::fillUntil(const QStringList& nodes, const ReplayAim& aim)
{
    const QSignalBlocker quiet(until);
    until->clear();
    until->addItem(ReplayPanel::tr("Run to the end"));
    until->addItem(ReplayPanel::tr("Run one step"), QStringList{ QStringLiteral("*") });
    for (const QString& node : nodes)
        until->addItem(ReplayPanel::tr("Pause before %1").arg(node), QStringList{ node });
    if (aim.until == ReplayAim::Until::Step)
        until->setCurrentIndex(1);
    else if (aim.until == ReplayAim::Until::Before)
        until->setCurrentIndex(std::max(0, until->findData(QStringList{ aim.node })));
}

ReplayAim ReplayPanel::Impl::aim() const
{
    switch (until->currentIndex()) {
    case -1:
    case 0: return {};
    case 1: return { ReplayAim::Until::Step, {} };
    default: return { ReplayAim::Until::Before, until->currentData().toStringList().value(0) };
    }
}

void ReplayPanel::Impl::showPlanned()
{
    const ReplayPlan seen = limited(plan, aim());
    tasks->setPlan(seen, changes() == 0);
    Q_EMIT panel->planChanged(isViewed ? seen : ReplayPlan());
    taskSection->setCount(static_cast<int>(seen.next.size() + seen.later.size()) + seen.moreLater);
    QStringList lines = sideEffects(seen, graph);
    fate->setText(sandboxFate(seen, sandbox->currentData().toString()));
    if (until->currentIndex() > 0)
        lines << ReplayPanel::tr("Then it pauses: Run goes on from there");
    lines << (seen.shared == 1
                  ? ReplayPanel::tr(
                      "1 checkpoint is shared with the branch that is left, which stays as it is")
                  : ReplayPanel::tr(
                        "%1 checkpoints are shared with the branch that is left, which stays as it is")
                        .arg(formatCount(seen.shared)));
    facts->setText(lines.join(QStringLiteral("\n\n")));
}

// The choices depend on what was stored.
void ReplayPanel::Impl::fillSandbox()
{
    const QSignalBlocker quiet(sandbox);
    sandbox->clear();
    const bool isExact = plan.sandbox == QLatin1String("exact");
    const bool hasNothing = plan.sandbox == QLatin1String("none");
    if (hasNothing) // restoring a removed snapshot would be refused, so this is the default
        sandbox->addItem(ReplayPanel::tr("begin empty"), QLatin1String(kSandboxFresh));
    sandbox->addItem(hasNothing ? ReplayPanel::tr("as at this step, as far as it was kept")
                                : ReplayPanel::tr("as at this step"),
                     QLatin1String(kSandboxRestored));
    if (isExact)
        sandbox->addItem(ReplayPanel::tr("exactly as at this step, or stop"), QLatin1String(kSandboxExact));
    if (isExact || plan.sandbox == QLatin1String("restored"))
        sandbox->addItem(ReplayPanel::tr("from what was stored"), QLatin1String(kSandboxStored));
    if (!hasNothing)
        sandbox->addItem(ReplayPanel::tr("begin empty"), QLatin1String(kSandboxFresh));
    sandbox->addItem(ReplayPanel::tr("leave it as it stands now"), QLatin1String(kSandboxKept));
    sandboxSection->setTitle(ReplayPanel::tr("Sandbox at step %1").arg(plan.step));
    sandboxSign->setRewind(rewindFrom(plan.sandbox));
    sandboxSection->setVisible(!plan.sandbox.isEmpty());
}

void ReplayPanel::Impl::show(const ReplayPlan& shown, const ReplayAim& aim)
{
    plan = shown;
    const bool forks = verb == Verb::Fork;
    const bool reruns = verb == Verb::Rerun;
    const QLatin1String iconName(forks ? "fork" : "replay");
    sign->setPixmap(icon(iconName).pixmap(16));
    title->setText(reruns      ? ReplayPanel::tr("Run %1 again from step %2").arg(again).arg(plan.step)
                       : forks ? ReplayPanel::tr("Fork from step %1").arg(plan.step)
                               : ReplayPanel::tr("Replay from step %1").arg(plan.step));
    QStringList next;
    for (const PlannedTask& task : plan.next)
        next << task.node;
    const QString after =
        plan.after.isEmpty() ? ReplayPanel::tr("the input") : plan.after.join(QStringLiteral(", "));
    place = next.isEmpty() ? ReplayPanel::tr("after %1, where nothing is left to run").arg(after)
                           : ReplayPanel::tr("after %1 → %2").arg(after, next.join(QStringLiteral(", ")));
    where->setFullText(place);
    promise->setText(forks ? ReplayPanel::tr("Nothing runs and nothing is written before you press Fork.")
                           : ReplayPanel::tr("Nothing runs before you press %1.").arg(verbWord()));
    patchSection->setVisible(forks);
    later->setVisible(forks);
    writer->clear();
    writer->addItem(ReplayPanel::tr("the node that wrote last"));
    QStringList nodes = graph.kinds.keys();
    nodes.sort();
    writer->addItems(nodes);
    fillUntil(nodes, aim);
    fillSandbox();
    patchChanged();
}

QString ReplayPanel::Impl::verbWord() const
{
    return verb == Verb::Rerun ? ReplayPanel::tr("Run again") : ReplayPanel::tr("Replay");
}

int ReplayPanel::Impl::changes() const
{
    return verb == Verb::Fork ? patch->changeCount() : 0;
}

void ReplayPanel::Impl::patchChanged()
{
    const bool forks = verb == Verb::Fork;
    const int staged = changes();
    const bool valid = !forks || (hasState && patch->isValid());
    patchSection->setCount(staged);
    hint->setVisible(staged == 0);
    revert->setVisible(staged > 0);
    writer->setVisible(staged > 0);
    writerTitle->setVisible(staged > 0);
    problem->setText(forks && hasState && !valid
                         ? ReplayPanel::tr("A value is not JSON: text needs quotation marks.")
                         : refusal);
    later->setEnabled(valid && !isForking);
    now->setEnabled(valid && !isForking && (staged > 0 || !plan.next.empty()));
    now->setText(forks ? ReplayPanel::tr("Fork and run") : verbWord());
    if (!plan.checkpoint.isEmpty())
        showPlanned();
}

void ReplayPanel::Impl::go(bool run)
{
    const QString thread = plan.thread;
    const QString checkpoint = plan.checkpoint;
    const QString asNode = changes() > 0 && writer->currentIndex() > 0 ? writer->currentText() : QString();
    const QString values = QString::fromStdString(toJson(patch->values()));
    const QStringList pauseBefore = until->currentData().toStringList();
    const QString world = sandbox->currentData().toString();
    if (verb == Verb::Fork) { // staged changes stay until they are written
        isForking = true;
        refusal.clear();
        patchChanged();
        Q_EMIT panel->forkRequested(thread, checkpoint, values, asNode, run, pauseBefore, world);
        return;
    }
    close();
    if (verb == Verb::Rerun)
        Q_EMIT panel->rerunRequested(thread, checkpoint, again, pauseBefore, world);
    else
        Q_EMIT panel->replayRequested(thread, checkpoint, pauseBefore, world);
}

void ReplayPanel::Impl::close()
{
    begin();
    Q_EMIT panel->planChanged(plan);
    Q_EMIT panel->closed();
}

void ReplayPanel::Impl::begin()
{
    plan = {};
    hasState = isForking = false;
    isViewed = true;
    refusal.clear();
    patch->reset({}, {});
}

ReplayPanel::ReplayPanel(QWidget* parent)
    : QWidget(parent)
    , m_impl(new Impl(this))
{
    setAccessibleName(tr("Preview of a replay or fork"));
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
}

void ReplayPanel::setGraph(const ReplayGraph& graph)
{
    m_impl->graph = graph;
}

void ReplayPanel::setState(const StateView& state)
{
    if (m_impl->hasState || state.thread != m_impl->plan.thread
        || state.checkpoint != m_impl->plan.checkpoint)
        return;
    m_impl->hasState = true; // loading the state again would drop the staged changes
    PatchRules rules = m_impl->graph.rules;
    rules.typed = QSet<QString>(state.typed.begin(), state.typed.end());
    m_impl->patch->reset(state.values, rules);
}

void ReplayPanel::preview(Verb verb, const HistoryRows& history, const QString& checkpoint,
                          const ReplayAim& aim, int shared)
{
    m_impl->verb = verb;
    m_impl->begin();
    ReplayPlan plan = planReplay(history, checkpoint);
    plan.shared = std::max(plan.shared, shared);
    m_impl->show(plan, aim);
    if (verb == Verb::Fork)
        m_impl->table->setFocus();
    else
        m_impl->now->setFocus();
}

void ReplayPanel::previewRerun(const HistoryRows& history, const QString& checkpoint, const QString& node,
                               int shared)
{
    m_impl->verb = Verb::Rerun;
    m_impl->again = node;
    m_impl->begin();
    ReplayPlan plan = planRerun(history, checkpoint, node);
    plan.shared = std::max(plan.shared, shared);
    m_impl->show(plan, { ReplayAim::Until::Step, {} });
    m_impl->now->setFocus();
}

void ReplayPanel::close()
{
    if (!m_impl->plan.checkpoint.isEmpty())
        m_impl->close();
}

bool ReplayPanel::hasStaged() const
{
    return m_impl->changes() > 0 && !m_impl->isForking;
}

void ReplayPanel::mayLeave(const std::function<void()>& then)
{
    if (m_impl->changes() == 0) {
        then();
        return;
    }
    auto* ask =
        new QMessageBox(QMessageBox::Question, tr("Staged changes"),
                        m_impl->changes() == 1 ? tr("Discard the staged change?")
                                               : tr("Discard the %1 staged changes?").arg(m_impl->changes()),
                        QMessageBox::NoButton, window());
    ask->setAttribute(Qt::WA_DeleteOnClose);
    ask->setInformativeText(tr("They are not written anywhere yet."));
    QPushButton* discard = ask->addButton(tr("Discard"), QMessageBox::DestructiveRole);
    ask->setDefaultButton(ask->addButton(tr("Keep them"), QMessageBox::RejectRole));
    connect(discard, &QPushButton::clicked, this, then);
    ask->open();
}

void ReplayPanel::setViewed(const QString& checkpoint)
{
    if (m_impl->plan.checkpoint.isEmpty())
        return;
    const bool isViewed = checkpoint == m_impl->plan.checkpoint;
    if (!isViewed && m_impl->changes() == 0) {
        m_impl->close();
    } else if (isViewed != m_impl->isViewed) {
        m_impl->isViewed = isViewed;
        m_impl->where->setFullText(
            isViewed ? m_impl->place
                     : tr("of %1, while another step is shown; %2").arg(m_impl->plan.thread, m_impl->place));
        m_impl->showPlanned();
    }
}

void ReplayPanel::setForked(const QString& thread)
{
    if (m_impl->isForking && thread == m_impl->plan.thread)
        m_impl->close();
}

void ReplayPanel::setRefused(const QString& thread, const QString& why)
{
    if (!m_impl->isForking || thread != m_impl->plan.thread)
        return;
    m_impl->isForking = false;
    m_impl->refusal = tr("It was not forked. %1").arg(why);
    m_impl->patchChanged();
}

QString ReplayPanel::checkpoint() const
{
    return m_impl->plan.checkpoint;
}

void ReplayPanel::keyPressEvent(QKeyEvent* event)
{
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    const bool isPlain = (event->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
    if (event->key() == Qt::Key_Escape) {
        mayLeave([this] { m_impl->close(); });
    } else if (isEnter && event->modifiers().testFlag(Qt::ControlModifier)) {
        m_impl->now->click();
    } else if (isEnter && isPlain && !m_impl->table->hasFocus()) { // in the table Enter edits a value
        auto* button = qobject_cast<QAbstractButton*>(focusWidget());
        (button ? button : m_impl->now)->click();
    } else {
        QWidget::keyPressEvent(event);
    }
}

} // namespace sg::ui
