#include "ui/replay/replay_panel.h"

#include "core/base/json.h"
#include "ui/replay/patch_table.h"
#include "ui/replay/planned_tasks.h"
#include "ui/replay/replay_feed.h"
#include "ui/replay/replay_foot.h"
#include "ui/replay/replay_section.h"
#include "ui/replay/replay_title.h"
#include "ui/replay/sandbox_section.h"
#include "ui/selection/panel_parts.h"
#include "ui/widgets/byte_format.h"

#include <QKeyEvent>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace sg::ui {

ReplayPanel::ReplayPanel(QWidget* parent)
    : QWidget(parent)
    , m_patch(new StagedPatch(this))
    , m_title(new ReplayTitle(this))
    , m_patchSection(new ReplaySection(tr("Staged changes"), this))
    , m_taskSection(new ReplaySection(tr("Will run"), this))
    , m_tasks(new PlannedTasks(m_taskSection))
{
    setAccessibleName(tr("Preview of a replay or fork"));
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    createPatch();
    m_taskSection->addNote(tr("last time"));
    m_taskSection->setBody(m_tasks);
    auto* facts = new ReplaySection(tr("What it touches"), this);
    m_facts = facts->setWords(tr("What it touches"));
    m_sandbox = new SandboxSection(this);
    m_foot = new ReplayFoot(this);
    auto* sections = new QHBoxLayout;
    sections->setSpacing(0);
    sections->addWidget(m_patchSection, 5);
    sections->addWidget(m_taskSection, 5);
    sections->addWidget(m_sandbox, 4);
    sections->addWidget(facts, 4);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_title);
    column->addLayout(sections, 1);
    column->addWidget(m_foot);
    connect(m_title, &ReplayTitle::closeAsked, this, &ReplayPanel::leave);
    connect(m_sandbox, &SandboxSection::chosen, this, &ReplayPanel::showPlanned);
    connect(m_foot, &ReplayFoot::aimChanged, this, &ReplayPanel::showPlanned);
    connect(m_foot, &ReplayFoot::cancelled, this, &ReplayPanel::leave);
    connect(m_foot, &ReplayFoot::pressed, this, &ReplayPanel::go);
    connect(m_patch, &StagedPatch::changed, this, &ReplayPanel::patchChanged);
}

ReplayPanel::ReplayPanel(const PanelParts& parts, QWidget* parent)
    : ReplayPanel(parent)
{
    m_feed = new ReplayFeed(parts, *this);
}

const ReplayVerbs& ReplayPanel::verbs() const
{
    Q_ASSERT(m_feed != nullptr);
    return m_feed->verbs();
}

void ReplayPanel::replayFrom(const QString& checkpoint)
{
    Q_ASSERT(m_feed != nullptr);
    m_feed->previewFrom(checkpoint);
}

void ReplayPanel::createPatch()
{
    m_table = new PatchTable(*m_patch, m_patchSection);
    m_hint = m_patchSection->addNote(tr("Enter or a double click changes a value"));
    m_revert = m_patchSection->addLink(tr("Revert"));
    m_patchSection->setBody(m_table);
    connect(m_revert, &QPushButton::clicked, m_patch, &StagedPatch::revertAll);
}

void ReplayPanel::showPlanned()
{
    const ReplayAim aim = m_foot->aim();
    const ReplayPlan seen = limited(m_plan, aim);
    m_tasks->setPlan(seen, changes() == 0);
    Q_EMIT planChanged(m_isViewed ? seen : ReplayPlan());
    m_taskSection->setCount(static_cast<int>(seen.next.size() + seen.later.size()) + seen.moreLater);
    QStringList lines = sideEffects(seen, m_graph);
    m_sandbox->setFate(sandboxFate(seen, m_sandbox->choice()));
    if (aim.until != ReplayAim::Until::End)
        lines << tr("Then it pauses: Run goes on from there");
    lines << (seen.shared == 1
                  ? tr("1 checkpoint is shared with the branch that is left, which stays as it is")
                  : tr("%1 checkpoints are shared with the branch that is left, which stays as it is")
                        .arg(formatCount(seen.shared)));
    m_facts->setText(lines.join(QStringLiteral("\n\n")));
}

void ReplayPanel::showPlan(const ReplayPlan& plan, const ReplayAim& aim, int shared)
{
    m_plan = plan;
    m_plan.shared = std::max(plan.shared, shared);
    m_title->setPlan(m_plan, m_verb, m_again);
    m_patchSection->setVisible(m_verb == Verb::Fork);
    QStringList nodes = m_graph.kinds.keys();
    nodes.sort();
    m_foot->begin(nodes, aim);
    m_sandbox->setPlan(m_plan);
    patchChanged();
}

int ReplayPanel::changes() const
{
    return m_verb == Verb::Fork ? m_patch->changeCount() : 0;
}

void ReplayPanel::patchChanged()
{
    const bool forks = m_verb == Verb::Fork;
    const int staged = changes();
    const bool valid = !forks || (m_hasState && m_patch->isValid());
    m_patchSection->setCount(staged);
    m_hint->setVisible(staged == 0);
    m_revert->setVisible(staged > 0);
    const bool mayGo = valid && !m_isForking;
    m_foot->setLook({ .verb = m_verb,
                      .hasChanges = staged > 0,
                      .mayFork = mayGo,
                      .mayRun = mayGo && (staged > 0 || !m_plan.next.empty()),
                      .problem = forks && m_hasState && !valid
                          ? tr("A value is not JSON: text needs quotation marks.")
                          : m_refusal });
    if (!m_plan.checkpoint.isEmpty())
        showPlanned();
}

void ReplayPanel::go(bool run)
{
    const QString thread = m_plan.thread;
    const QString checkpoint = m_plan.checkpoint;
    const QStringList pauseBefore = m_foot->pauseBefore();
    const rewind::SandboxChoice world = m_sandbox->choice();
    if (m_verb == Verb::Fork) { // staged changes stay until they are written
        m_isForking = true;
        m_refusal.clear();
        patchChanged();
        Q_EMIT forkRequested(thread, checkpoint, QString::fromStdString(toJson(m_patch->values())),
                             changes() > 0 ? m_foot->writer() : QString(), run, pauseBefore, world);
        return;
    }
    finish();
    if (m_verb == Verb::Rerun)
        Q_EMIT rerunRequested(thread, checkpoint, m_again, pauseBefore, world);
    else
        Q_EMIT replayRequested(thread, checkpoint, pauseBefore, world);
}

void ReplayPanel::finish()
{
    begin();
    Q_EMIT planChanged(m_plan);
    Q_EMIT closed();
}

void ReplayPanel::leave()
{
    mayLeave([this] { finish(); });
}

void ReplayPanel::begin()
{
    m_plan = {};
    m_hasState = m_isForking = false;
    m_isViewed = true;
    m_refusal.clear();
    m_patch->reset({}, {});
}

void ReplayPanel::setGraph(const ReplayGraph& graph)
{
    m_graph = graph;
}

void ReplayPanel::setState(const StateView& state)
{
    if (m_hasState || state.thread != m_plan.thread || state.checkpoint != m_plan.checkpoint)
        return;
    m_hasState = true; // loading the state again would drop the staged changes
    PatchRules rules = m_graph.rules;
    rules.typed = QSet<QString>(state.typed.begin(), state.typed.end());
    m_patch->reset(state.values, rules);
}

void ReplayPanel::preview(Verb verb, const HistoryRows& history, const QString& checkpoint,
                          const ReplayAim& aim, int shared)
{
    Q_EMIT opened(); // what is hidden takes no focus
    m_verb = verb;
    begin();
    showPlan(planReplay(history, checkpoint), aim, shared);
    if (verb == Verb::Fork)
        m_table->setFocus();
    else
        m_foot->runButton()->setFocus();
}

void ReplayPanel::previewRerun(const HistoryRows& history, const QString& checkpoint, const QString& node,
                               int shared)
{
    Q_EMIT opened();
    m_verb = Verb::Rerun;
    m_again = node;
    begin();
    showPlan(planRerun(history, checkpoint, node), { ReplayAim::Until::Step, {} }, shared);
    m_foot->runButton()->setFocus();
}

void ReplayPanel::close()
{
    if (!m_plan.checkpoint.isEmpty())
        finish();
}

bool ReplayPanel::hasStaged() const
{
    return changes() > 0 && !m_isForking;
}

void ReplayPanel::mayLeave(const std::function<void()>& then)
{
    if (changes() == 0) {
        then();
        return;
    }
    auto* ask = new QMessageBox(QMessageBox::Question, tr("Staged changes"),
                                changes() == 1 ? tr("Discard the staged change?")
                                               : tr("Discard the %1 staged changes?").arg(changes()),
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
    if (m_plan.checkpoint.isEmpty())
        return;
    const bool isViewed = checkpoint == m_plan.checkpoint;
    if (!isViewed && changes() == 0) {
        finish();
    } else if (isViewed != m_isViewed) {
        m_isViewed = isViewed;
        m_title->setViewed(isViewed);
        showPlanned();
    }
}

void ReplayPanel::setForked(const QString& thread)
{
    if (m_isForking && thread == m_plan.thread)
        finish();
}

void ReplayPanel::setRefused(const QString& thread, const QString& why)
{
    if (!m_isForking || thread != m_plan.thread)
        return;
    m_isForking = false;
    m_refusal = tr("It was not forked. %1").arg(why);
    patchChanged();
}

QString ReplayPanel::checkpoint() const
{
    return m_plan.checkpoint;
}

void ReplayPanel::keyPressEvent(QKeyEvent* event)
{
    const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    const bool isPlain = (event->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
    if (event->key() == Qt::Key_Escape) {
        leave();
    } else if (isEnter && event->modifiers().testFlag(Qt::ControlModifier)) {
        m_foot->runButton()->click();
    } else if (isEnter && isPlain && !m_table->hasFocus()) { // in the table Enter edits a value
        auto* button = qobject_cast<QAbstractButton*>(focusWidget());
        (button ? button : m_foot->runButton())->click();
    } else {
        QWidget::keyPressEvent(event);
    }
}

} // namespace sg::ui
