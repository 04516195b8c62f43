#include "ui/graph/canvas/state_chips.h"

#include "ui/graph/canvas/graph_view.h"
#include "ui/graph/scene/graph_scene.h"
#include "ui/graph/scene/node_item.h"
#include "ui/widgets/style.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QTimer>
#include <QToolButton>

#include <algorithm>
#include <set>
#include <utility>

namespace sg::ui {
namespace {

constexpr std::size_t kManyNodes = 24; // fewer can be seen at once
constexpr int kCountSoonMs = 80; // a superstep changes many nodes
// The states that somebody looks for come first.
constexpr StateKind kChipOrder[] = { StateKind::Failed,  StateKind::Waiting, StateKind::Paused,
                                     StateKind::Running, StateKind::Queued,  StateKind::Partial,
                                     StateKind::Stopped, StateKind::Done,    StateKind::Cached,
                                     StateKind::Skipped, StateKind::Idle };

QIcon glyphOf(StateKind kind, double pixelRatio)
{
    constexpr int kSide = 14;
    QPixmap picture(QSize(kSide, kSide) * pixelRatio);
    picture.setDevicePixelRatio(pixelRatio);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    painter.setRenderHint(QPainter::Antialiasing);
    paintStateGlyph(painter, kind, QRectF(0, 0, kSide, kSide), tokens().base);
    painter.end();
    return QIcon(picture);
}

} // namespace

StateChips::StateChips(GraphView& view, QWidget* parent)
    : QWidget(parent)
    , m_view(view)
{
    setObjectName(QStringLiteral("stateChips"));
    setAccessibleName(tr("Nodes by state"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 4, 8, 4);
    row->setSpacing(4);
    for (const StateKind kind : kChipOrder)
        row->addWidget(m_chips[kind] = chip(kind));
    row->addStretch();
    hide();
    const auto soon = [this] {
        if (!std::exchange(m_isCounting, true))
            QTimer::singleShot(kCountSoonMs, this, &StateChips::countAnew);
    };
    const GraphScene& scene = m_view.graphScene();
    connect(&scene, &GraphScene::nodeStateChanged, this, soon);
    connect(&scene, &GraphScene::rebuilt, this, soon);
    connect(&scene, &GraphScene::edited, this, soon);
}

QToolButton* StateChips::chip(StateKind kind)
{
    auto* made = new QToolButton(this);
    made->setObjectName(QStringLiteral("stateChip%1").arg(static_cast<int>(kind)));
    made->setAccessibleName(stateWord(kind));
    made->setCheckable(true);
    made->setToolButtonStyle(kind == StateKind::Idle ? Qt::ToolButtonTextOnly // it has no glyph
                                                     : Qt::ToolButtonTextBesideIcon);
    made->setIconSize(QSize(14, 14));
    if (kind != StateKind::Idle)
        made->setIcon(glyphOf(kind, devicePixelRatioF()));
    makeDense(made);
    made->hide();
    connect(made, &QToolButton::toggled, this, [this, kind](bool on) { filter(kind, on); });
    return made;
}

void StateChips::countAnew()
{
    m_isCounting = false;
    std::map<StateKind, int> counts; // idle: those alone that an ended run did not reach
    int idle = 0;
    const auto& nodes = m_view.graphScene().nodes();
    for (const NodeItem* node : nodes) {
        if (node->node().kind != DrawnNode::Kind::Card)
            continue;
        const NodeState& state = node->state();
        idle += state.kind == StateKind::Idle ? 1 : 0;
        if (state.kind != StateKind::Idle || state.isUnreached)
            ++counts[state.kind];
    }
    bool isFiltering = false;
    for (auto& [kind, button] : m_chips) {
        const auto found = counts.find(kind);
        const bool shown = found != counts.end();
        if (!shown && button->isChecked())
            button->setChecked(false); // none is left
        isFiltering = isFiltering || button->isChecked();
        if (shown) {
            button->setText(kind == StateKind::Idle
                                ? tr("%n not reached", nullptr, found->second)
                                : QStringLiteral("%1 %2").arg(found->second).arg(stateWord(kind).toLower()));
            button->setAccessibleName(button->text());
            button->setToolTip(tr("Show these nodes alone"));
        }
        button->setVisible(shown);
    }
    const bool hasRun = !counts.empty();
    setVisible(isFiltering
               || (hasRun && nodes.size() >= kManyNodes && idle < static_cast<int>(nodes.size())));
}

void StateChips::filter(StateKind kind, bool on)
{
    GraphScene& scene = m_view.graphScene();
    std::set<StateKind> kept;
    for (const auto& [each, button] : m_chips)
        if (button->isChecked())
            kept.insert(each);
    scene.setStateFilter(kept);
    if (!on)
        return;
    const auto first = std::ranges::find_if(
        scene.nodes(), [kind](const NodeItem* node) { return node->state().kind == kind; });
    if (first != scene.nodes().end()) {
        scene.setCurrentNode((*first)->node().id);
        m_view.reveal((*first)->node().id);
    }
}

void StateChips::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        for (const auto& [kind, button] : m_chips)
            if (kind != StateKind::Idle)
                button->setIcon(glyphOf(kind, devicePixelRatioF()));
}

} // namespace sg::ui
