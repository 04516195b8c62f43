#include "ui/replay/replay_panel.h"

#include "core/base/json.h"
#include "ui/replay/patch_table.h"
#include "ui/replay/planned_tasks.h"
#include "ui/replay/replay_section.h"
#include "ui/widgets/byte_format.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/ink_label.h"
#include "ui/widgets/strip.h"
#include "ui/widgets/style.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QToolButton>

#include <algorithm>

namespace sg::ui {
namespace {

// "3 Python nodes run in the thread's sandbox", a line a kind; counts what is planned for certain and what
// may follow.
QStringList touches(const ReplayPlan& plan, const QHash<QString, QString>& kinds)
{
    QHash<QString, int> counts;
    for (const std::vector<PlannedTask>* tasks : { &plan.next, &plan.later })
        for (const PlannedTask& task : *tasks)
            ++counts[task.outcome == QLatin1String("interrupted") ? QStringLiteral("human")
                                                                  : kinds.value(task.node)];
    QStringList lines;
    if (const int count = counts.value(QStringLiteral("python")))
        lines << (count == 1 ? ReplayPanel::tr("1 Python node runs in the thread's sandbox")
                             : ReplayPanel::tr("%1 Python nodes run in the thread's sandbox").arg(count));
    if (const int count = counts.value(QStringLiteral("human")))
        lines << (count == 1 ? ReplayPanel::tr("1 question to you")
                             : ReplayPanel::tr("%1 questions to you").arg(count));
    if (const int count = counts.value(QStringLiteral("jq")))
        lines << (count == 1 ? ReplayPanel::tr("1 jq program, which touches nothing")
                             : ReplayPanel::tr("%1 jq programs, which touch nothing").arg(count));
    return lines;
}

// What the branch finds in its sandbox; empty where no session was used.
QString fate(const ReplayPlan& plan)
{
    QString words = plan.sandbox == QLatin1String("exact")
        ? ReplayPanel::tr("The sandbox goes back to this step: every name and file as it was")
        : plan.sandbox == QLatin1String("restored")
        ? ReplayPanel::tr("The sandbox goes back to this step as far as it was stored")
        : plan.sandbox == QLatin1String("none")
        ? ReplayPanel::tr("Nothing was kept of the sandbox at this step: it begins anew")
        : QString();
    if (!words.isEmpty() && !plan.sandboxNote.isEmpty())
        words += QStringLiteral(". ") + plan.sandboxNote;
    if (!words.isEmpty() && !plan.reused.empty())
        words += ReplayPanel::tr(". What the reused tasks did in it is not there");
    return words;
}

} // namespace

struct ReplayPanel::Impl : QObject {
    explicit Impl(ReplayPanel* panel);
    void createTitle();
    void createSections();
    void createButtons();
    void show(const ReplayPlan& shown, const ReplayAim& aim);
    void fillUntil(const QStringList& nodes, const ReplayAim& aim);
    void showPlanned(); // as far as it is to run
    [[nodiscard]] ReplayAim aim() const;
    void patchChanged();
    [[nodiscard]] QString verbWord() const; // of replaying and running again
    void go(bool run);
    void close();

    ReplayPanel* panel;
    ReplayGraph graph;
    ReplayPlan plan;
    Verb verb = Verb::Replay;
    QString again; // the node of Rerun
    bool hasState = false; // the patch holds the checkpoint's values

    Strip* titleRow;
    QLabel* sign;
    QLabel* title;
    ElidedLabel* where;
    QLabel* promise;
    StagedPatch* patch;
    ReplaySection* patchSection;
    PatchTable* table;
    QLabel* hint; // until something is staged
    QPushButton* revert;
    ReplaySection* taskSection;
    PlannedTasks* tasks;
    ReplaySection* factSection;
    QLabel* facts;
    Strip* buttonRow;
    QLabel* writerTitle;
    QComboBox* writer;
    QComboBox* until;
    QLabel* problem;
    QPushButton* later;
    QPushButton* now;
};

ReplayPanel::Impl::Impl(ReplayPanel* shownIn)
    : QObject(shownIn)
    , panel(shownIn)
    , patch(new StagedPatch(this))
{
    createTitle();
    createSections();
    createButtons();
    auto* sections = new QHBoxLayout;
    sections->setSpacing(0);
    sections->addWidget(patchSection, 5);
    sections->addWidget(taskSection, 5);
    sections->addWidget(factSection, 4);
    auto* column = new QVBoxLayout(panel);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(titleRow);
    column->addLayout(sections, 1);
    column->addWidget(buttonRow);
    connect(patch, &StagedPatch::changed, this, &Impl::patchChanged);
}

void ReplayPanel::Impl::createTitle()
{
    titleRow = new Strip(36, &Tokens::border, panel);
    sign = new QLabel(titleRow);
    title = new QLabel(titleRow);
    title->setFont(uiFont(TextSize::Heading, QFont::DemiBold));
    where = new ElidedLabel({}, titleRow);
    where->setFont(uiFont(TextSize::Dense));
    where->setForegroundRole(QPalette::PlaceholderText);
    promise = new InkLabel(&Tokens::muted, TextSize::Dense, QFont::Normal, titleRow);
    auto* cancel = new QToolButton(titleRow);
    cancel->setIcon(icon(QLatin1String("close")));
    cancel->setAutoRaise(true);
    cancel->setAccessibleName(ReplayPanel::tr("Close the preview"));
    connect(cancel, &QToolButton::clicked, this, &Impl::close);
    auto* row = new QHBoxLayout(titleRow);
    row->setContentsMargins(12, 0, 8, 1);
    row->setSpacing(8);
    row->addWidget(sign);
    row->addWidget(title);
    row->addWidget(where, 1);
    row->addWidget(promise);
    row->addWidget(cancel);
}

void ReplayPanel::Impl::createSections()
{
    patchSection = new ReplaySection(ReplayPanel::tr("Staged changes"), panel);
    table = new PatchTable(*patch, patchSection);
    hint = patchSection->addNote(ReplayPanel::tr("Enter or a double click changes a value"));
    revert = patchSection->addLink(ReplayPanel::tr("Revert"));
    patchSection->setBody(table);
    connect(revert, &QPushButton::clicked, patch, qOverload<>(&StagedPatch::revert));
    taskSection = new ReplaySection(ReplayPanel::tr("Will run"), panel);
    taskSection->addNote(ReplayPanel::tr("last time"));
    tasks = new PlannedTasks(taskSection);
    taskSection->setBody(tasks);
    factSection = new ReplaySection(ReplayPanel::tr("What it touches"), panel);
    facts = new InkLabel(&Tokens::text, TextSize::Dense, QFont::Normal, factSection);
    facts->setWordWrap(true);
    facts->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    facts->setContentsMargins(12, 4, 12, 8);
    factSection->setBody(facts);
}

void ReplayPanel::Impl::createButtons()
{
    buttonRow = new Strip(44, &Tokens::border, panel, Strip::Line::Above);
    writerTitle = new InkLabel(&Tokens::muted, TextSize::Dense, QFont::Normal, buttonRow);
    writerTitle->setText(ReplayPanel::tr("Written as"));
    writer = new QComboBox(buttonRow);
    writer->setAccessibleName(writerTitle->text());
    until = new QComboBox(buttonRow);
    until->setAccessibleName(ReplayPanel::tr("How far it runs"));
    problem = new InkLabel(&Tokens::failed, TextSize::Dense, QFont::Normal, buttonRow);
    auto* cancel = new QPushButton(ReplayPanel::tr("Cancel"), buttonRow);
    cancel->setProperty("sgFlat", true);
    later = new QPushButton(ReplayPanel::tr("Fork, run later"), buttonRow);
    now = new QPushButton(ReplayPanel::tr("Replay"), buttonRow);
    now->setProperty("sgPrimary", true);
    connect(until, &QComboBox::currentIndexChanged, this, &Impl::showPlanned);
    connect(cancel, &QPushButton::clicked, this, &Impl::close);
    connect(later, &QPushButton::clicked, this, [this] { go(false); });
    connect(now, &QPushButton::clicked, this, [this] { go(true); });
    auto* row = new QHBoxLayout(buttonRow);
    row->setContentsMargins(12, 1, 12, 0);
    row->setSpacing(8);
    row->addWidget(writerTitle);
    row->addWidget(writer);
    row->addWidget(problem, 1);
    row->addWidget(until);
    row->addWidget(cancel);
    row->addWidget(later);
    row->addWidget(now);
}

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
    tasks->setPlan(seen);
    Q_EMIT panel->planChanged(seen);
    taskSection->setCount(static_cast<int>(seen.next.size() + seen.later.size()) + seen.moreLater);
    QStringList lines = touches(seen, graph.kinds);
    if (const QString words = fate(seen); !words.isEmpty())
        lines.prepend(words);
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
    where->setFullText(next.isEmpty()
                           ? ReplayPanel::tr("after %1, where nothing is left to run").arg(after)
                           : ReplayPanel::tr("after %1 → %2").arg(after, next.join(QStringLiteral(", "))));
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
    showPlanned();
    patchChanged();
}

QString ReplayPanel::Impl::verbWord() const
{
    return verb == Verb::Rerun ? ReplayPanel::tr("Run again") : ReplayPanel::tr("Replay");
}

void ReplayPanel::Impl::patchChanged()
{
    const bool forks = verb == Verb::Fork;
    const int changes = forks ? patch->changeCount() : 0;
    const bool valid = !forks || (hasState && patch->isValid());
    patchSection->setCount(changes);
    hint->setVisible(changes == 0);
    revert->setVisible(changes > 0);
    writer->setVisible(changes > 0);
    writerTitle->setVisible(changes > 0);
    problem->setText(forks && hasState && !valid
                         ? ReplayPanel::tr("A value is not JSON: text needs quotation marks.")
                         : QString());
    later->setEnabled(valid);
    now->setEnabled(valid && (changes > 0 || !plan.next.empty()));
    now->setText(forks ? ReplayPanel::tr("Fork and run") : verbWord());
}

void ReplayPanel::Impl::go(bool run)
{
    const QString thread = plan.thread;
    const QString checkpoint = plan.checkpoint;
    const QString asNode = writer->currentIndex() > 0 ? writer->currentText() : QString();
    const QString values = QString::fromStdString(toJson(patch->values()));
    const QStringList pauseBefore = until->currentData().toStringList();
    close();
    if (verb == Verb::Rerun)
        Q_EMIT panel->rerunRequested(thread, checkpoint, again, pauseBefore);
    else if (verb == Verb::Fork)
        Q_EMIT panel->forkRequested(thread, checkpoint, values, asNode, run, pauseBefore);
    else
        Q_EMIT panel->replayRequested(thread, checkpoint, pauseBefore);
}

void ReplayPanel::Impl::close()
{
    plan = {};
    hasState = false;
    Q_EMIT panel->planChanged(plan);
    Q_EMIT panel->closed();
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
    m_impl->hasState = true; // later loads of it would drop what is staged
    m_impl->patch->reset(state.values, m_impl->graph.rules);
}

void ReplayPanel::preview(Verb verb, const HistoryRows& history, const QString& checkpoint,
                          const ReplayAim& aim, int shared)
{
    m_impl->verb = verb;
    m_impl->hasState = false;
    m_impl->patch->reset({}, {});
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
    m_impl->hasState = false;
    m_impl->patch->reset({}, {});
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

QString ReplayPanel::checkpoint() const
{
    return m_impl->plan.checkpoint;
}

void ReplayPanel::keyPressEvent(QKeyEvent* event)
{
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (event->key() == Qt::Key_Escape)
        m_impl->close();
    else if (enter && event->modifiers().testFlag(Qt::ControlModifier) && m_impl->now->isEnabled())
        m_impl->go(true);
    else
        QWidget::keyPressEvent(event);
}

} // namespace sg::ui
