#include "ui/state/state_panel.h"

#include "ui/state/json_view.h"
#include "ui/state/message_view.h"
#include "ui/state/rewind_line.h"
#include "ui/state/state_feed.h"
#include "ui/state/state_footer.h"
#include "ui/state/state_model.h"
#include "ui/state/state_tree.h"
#include "ui/state/value_history.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/strip.h"
#include "ui/widgets/style.h"

#include <QAbstractButton>
#include <QHBoxLayout>
#include <QMenu>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace sg::ui {

namespace {

enum Mode { Diff, All, Json, Chat };

QString nothingYet()
{
    return StatePanel::tr("The state of the selected step appears here.");
}

} // namespace

struct StatePanel::Impl : QObject {
    explicit Impl(StatePanel* panel);
    void show(const StateView& view);
    void fill();
    void createBase(QWidget* bar);
    void connectParts();

    void hideActions();

    StatePanel* panel;
    StateView state;
    QString base; // the checkpoint compared with; empty for the parent
    QStackedWidget* pages;
    QWidget* filled;
    EmptyState* empty;
    QStackedWidget* modes;
    ElidedLabel* comparison;
    QToolButton* baseButton;
    QAction* toParent;
    QAction* toThis;
    QAction* copyPatch;
    SegmentedControl* mode;
    StateModel* model;
    StateTree* tree;
    JsonView* json;
    MessageView* messages;
    StateFooter* footer;
    RewindLine* rewind;
    QPushButton* usage;
    ValueHistory* history;
};

StatePanel::Impl::Impl(StatePanel* shownIn)
    : QObject(shownIn)
    , panel(shownIn)
    , pages(new QStackedWidget(panel))
    , filled(new QWidget(pages))
    , empty(new EmptyState(QLatin1String("list"), nothingYet(), pages))
{
    auto* bar = new Strip(32, &Tokens::subtle, filled);
    comparison = new ElidedLabel({}, bar);
    comparison->setFont(uiFont(TextSize::Dense));
    comparison->setForegroundRole(QPalette::PlaceholderText);
    mode =
        new SegmentedControl(StatePanel::tr("How the state is shown"), SegmentedControl::Mode::Single, bar);
    makeDense(mode);
    for (const QString& each :
         { StatePanel::tr("Diff"), StatePanel::tr("All"), StatePanel::tr("JSON"), StatePanel::tr("Chat") })
        mode->addSegment(each);
    mode->segment(Chat)->setToolTip(StatePanel::tr("The messages of this state as a conversation"));
    createBase(bar);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(12, 0, 8, 1);
    row->addWidget(comparison, 1);
    row->addWidget(baseButton);
    row->addWidget(mode);

    auto* splitter = new QSplitter(Qt::Vertical, filled);
    splitter->setChildrenCollapsible(false);
    modes = new QStackedWidget(splitter);
    modes->setMinimumHeight(scaledLength(40)); // a small window has little height for the widgets below
    model = new StateModel(modes);
    tree = new StateTree(modes);
    tree->setStates(model);
    json = new JsonView(modes);
    modes->addWidget(tree);
    modes->addWidget(json);
    messages = new MessageView(modes);
    modes->addWidget(messages);
    history = new ValueHistory(splitter);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 2);
    footer = new StateFooter(filled);
    rewind = new RewindLine(filled);
    connect(rewind, &RewindLine::showRequested, panel, &StatePanel::worldRequested);
    usage = new QPushButton(filled);
    usage->setObjectName(QStringLiteral("usageLine"));
    usage->setProperty("sgLink", true);
    usage->setAccessibleName(StatePanel::tr("What the models took"));
    usage->setToolTip(StatePanel::tr("What the models took on the way to this step: by node, model and run"));
    makeDense(usage);
    usage->hide();

    auto* column = new QVBoxLayout(filled);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(bar);
    column->addWidget(splitter, 1);
    column->addWidget(footer);
    column->addWidget(rewind);
    column->addWidget(usage, 0, Qt::AlignLeft);
    pages->addWidget(empty);
    pages->addWidget(filled);
    auto* outer = new QVBoxLayout(panel);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(pages);
    connectParts();
    hideActions();
}

void StatePanel::Impl::connectParts()
{
    connect(usage, &QPushButton::clicked, panel, &StatePanel::usageRequested);
    connect(empty->setButton(StatePanel::tr("Try again")), &QPushButton::clicked, panel,
            &StatePanel::readAgain);
    connect(empty->setLink(StatePanel::tr("Its raw bytes…")), &QPushButton::clicked, panel,
            [this] { Q_EMIT panel->rawRequested({}); });
    connect(mode, &SegmentedControl::activated, this, &Impl::fill);
    connect(tree, &StateTree::originRequested, panel, &StatePanel::originRequested);
    connect(tree, &StateTree::historyRequested, panel, &StatePanel::historyRequested);
    connect(tree, &StateTree::rawRequested, panel, &StatePanel::rawRequested);
    connect(history, &ValueHistory::checkpointChosen, panel, &StatePanel::checkpointChosen);
}

void StatePanel::Impl::createBase(QWidget* bar)
{
    baseButton = new QToolButton(bar);
    makeDense(baseButton);
    baseButton->setIcon(icon(QLatin1String("compare")));
    baseButton->setAutoRaise(true);
    baseButton->setPopupMode(QToolButton::InstantPopup);
    baseButton->setAccessibleName(StatePanel::tr("What the state is compared with"));
    baseButton->setToolTip(StatePanel::tr("What the state is compared with; copy the difference"));
    auto* menu = new QMenu(baseButton);
    toParent = menu->addAction(StatePanel::tr("Compare with its &parent"), this,
                               [this] { Q_EMIT panel->baseRequested(false); });
    toThis = menu->addAction(StatePanel::tr("Compare other steps with &this one"), this,
                             [this] { Q_EMIT panel->baseRequested(true); });
    menu->addSeparator();
    copyPatch =
        menu->addAction(icon(QLatin1String("copy")), StatePanel::tr("&Copy the difference as JSON Patch"),
                        this, [this] { Q_EMIT panel->patchRequested(state.parentValues, state.values); });
    toParent->setCheckable(true);
    baseButton->setMenu(menu);
}

// Hides the actions for a state that cannot be read.
void StatePanel::Impl::hideActions()
{
    empty->setButton(StatePanel::tr("Try again"))->hide();
    empty->setLink(StatePanel::tr("Its raw bytes…"))->hide();
}

void StatePanel::Impl::show(const StateView& view)
{
    if (view.thread != state.thread)
        tree->forgetPlace();
    state = view;
    pages->setCurrentWidget(state.checkpoint.isEmpty() ? static_cast<QWidget*>(empty) : filled);
    footer->setState(state);
    fill();
}

void StatePanel::Impl::fill()
{
    const int shown = mode->currentIndex();
    const bool diff = shown == Diff;
    const QString compared = !state.isParent
        ? StatePanel::tr("Compared with %1").arg(base)
        : StatePanel::tr("Since step %1, its parent").arg(state.parentStep);
    comparison->setFullText(!diff ? StatePanel::tr("Step %1").arg(state.step)
                                : state.isParent && state.parent.isEmpty()
                                ? StatePanel::tr("Step %1, the first of its thread").arg(state.step)
                                : compared);
    toParent->setChecked(state.isParent);
    modes->setCurrentIndex(shown == Json ? 1 : shown == Chat ? 2 : 0);
    if (shown == Chat) {
        messages->setState(state.values);
        return;
    }
    if (shown == Json) {
        json->setValue(state.values);
        return;
    }
    json->clear();
    tree->show(state.parentValues, state.values, diff);
    const ChangeCounts counts = diff ? countChanges(state.parentValues, state.values) : ChangeCounts();
    tree->stateHeader()->setCounts(counts);
    tree->setAccessibleDescription(diff ? StatePanel::tr("%1 added, %2 changed, %3 removed")
                                              .arg(counts.added)
                                              .arg(counts.changed)
                                              .arg(counts.removed)
                                        : QString());
}

StatePanel::StatePanel(QWidget* parent)
    : QWidget(parent)
    , m_impl(new Impl(this))
{
    setAccessibleName(tr("State"));
    setFocusProxy(m_impl->tree);
    // The tree is the stop of Tab, not both; a screen reader can still give the focus to the panel, for trees
    // offer it no such action. A policy goes to the proxy, too.
    setFocusPolicy(Qt::ClickFocus);
    m_impl->tree->setFocusPolicy(Qt::StrongFocus);
    setMinimumWidth(scaledLength(240));
}

StatePanel::StatePanel(const PanelParts& parts, QWidget* parent)
    : StatePanel(parent)
{
    m_feed = new StateFeed(parts, *this);
}

QAction* StatePanel::pinAction() const
{
    Q_ASSERT(m_feed != nullptr);
    return m_feed->pinAction();
}

QAction* StatePanel::rawAction() const
{
    Q_ASSERT(m_feed != nullptr);
    return m_feed->rawAction();
}

void StatePanel::clear()
{
    m_impl->history->hide();
    m_impl->empty->setIcon(QLatin1String("list"));
    m_impl->empty->setSentence(nothingYet());
    m_impl->hideActions();
    m_impl->usage->hide();
    m_impl->show({});
}

void StatePanel::setState(const StateView& state)
{
    m_impl->show(state);
}

void StatePanel::setError(const UserError& error)
{
    clear();
    m_impl->empty->setIcon(QLatin1String("error"));
    m_impl->empty->setSentence(tr("This state cannot be read: %1").arg(error.what));
    m_impl->empty->setButton(tr("Try again"))->show();
    m_impl->empty->setLink(tr("Its raw bytes…"))->show();
}

void StatePanel::setRewind(SandboxMark sandbox, const QString& note)
{
    m_impl->rewind->setRewind(sandbox, note);
}

void StatePanel::setUsage(const QString& line)
{
    m_impl->usage->setText(QString(line).replace(QLatin1Char('&'), QLatin1String("&&"))); // nodes' names
    m_impl->usage->setAccessibleName(line.isEmpty() ? tr("What the models took")
                                                    : tr("Models took %1").arg(line));
    m_impl->usage->setVisible(!line.isEmpty());
}

void StatePanel::setTrace(const ValueTraceRows& trace)
{
    m_impl->history->show(trace);
}

QList<QAction*> StatePanel::compareActions() const
{
    return { m_impl->toParent, m_impl->toThis, m_impl->copyPatch };
}

void StatePanel::setBase(const QString& words)
{
    m_impl->base = words;
}

} // namespace sg::ui
