#include "ui/state/state_panel.h"

#include "ui/state/json_view.h"
#include "ui/state/state_footer.h"
#include "ui/state/state_model.h"
#include "ui/state/state_tree.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/strip.h"
#include "ui/widgets/style.h"

#include <QHBoxLayout>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace sg::ui {

namespace {

enum Mode { Diff, All, Json };

} // namespace

struct StatePanel::Impl : QObject {
    explicit Impl(StatePanel* panel);
    void show(const StateView& view);
    void fill();

    StateView state;
    QStackedWidget* pages;
    QWidget* filled;
    EmptyState* empty;
    QStackedWidget* modes;
    ElidedLabel* comparison;
    SegmentedControl* mode;
    StateModel* model;
    StateTree* tree;
    JsonView* json;
    StateFooter* footer;
};

StatePanel::Impl::Impl(StatePanel* panel)
    : QObject(panel)
    , pages(new QStackedWidget(panel))
    , filled(new QWidget(pages))
    , empty(new EmptyState(QLatin1String("list"),
                           StatePanel::tr("The state of the selected step appears here."), pages))
{
    auto* bar = new Strip(32, &Tokens::subtle, filled);
    comparison = new ElidedLabel({}, bar);
    comparison->setFont(uiFont(TextSize::Dense));
    comparison->setForegroundRole(QPalette::PlaceholderText);
    mode =
        new SegmentedControl(StatePanel::tr("How the state is shown"), SegmentedControl::Mode::Single, bar);
    makeDense(mode);
    mode->addSegment(StatePanel::tr("Diff"));
    mode->addSegment(StatePanel::tr("All"));
    mode->addSegment(StatePanel::tr("JSON"));
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(12, 0, 8, 1);
    row->addWidget(comparison, 1);
    row->addWidget(mode);

    modes = new QStackedWidget(filled);
    model = new StateModel(modes);
    tree = new StateTree(modes);
    tree->setModel(model);
    json = new JsonView(modes);
    modes->addWidget(tree);
    modes->addWidget(json);
    footer = new StateFooter(filled);

    auto* column = new QVBoxLayout(filled);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(bar);
    column->addWidget(modes, 1);
    column->addWidget(footer);
    pages->addWidget(empty);
    pages->addWidget(filled);
    auto* outer = new QVBoxLayout(panel);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(pages);
    connect(mode, &SegmentedControl::activated, this, &Impl::fill);
}

void StatePanel::Impl::show(const StateView& view)
{
    state = view;
    pages->setCurrentWidget(state.checkpoint.isEmpty() ? static_cast<QWidget*>(empty) : filled);
    footer->setState(state);
    fill();
}

void StatePanel::Impl::fill()
{
    const int shown = mode->currentIndex();
    const bool diff = shown == Diff;
    comparison->setFullText(!diff ? StatePanel::tr("Step %1").arg(state.step)
                                : state.parent.isEmpty()
                                ? StatePanel::tr("Step %1, the first of its thread").arg(state.step)
                                : StatePanel::tr("Compared with parent, step %1").arg(state.parentStep));
    modes->setCurrentIndex(shown == Json ? 1 : 0);
    if (shown == Json) {
        json->setValue(state.values);
        return;
    }
    json->clear();
    model->reset(state.parentValues, state.values, diff);
    const ChangeCounts counts = diff ? countChanges(state.parentValues, state.values) : ChangeCounts();
    tree->stateHeader()->setCounts(counts);
    tree->setAccessibleDescription(diff ? StatePanel::tr("%1 added, %2 changed, %3 removed")
                                              .arg(counts.added)
                                              .arg(counts.changed)
                                              .arg(counts.removed)
                                        : QString());
    if (diff)
        tree->expandChanges();
}

StatePanel::StatePanel(QWidget* parent)
    : QWidget(parent)
    , m_impl(new Impl(this))
{
    setAccessibleName(tr("State"));
    setMinimumWidth(scaledLength(240));
}

void StatePanel::clear()
{
    m_impl->show({});
}

void StatePanel::setState(const StateView& state)
{
    m_impl->show(state);
}

} // namespace sg::ui
