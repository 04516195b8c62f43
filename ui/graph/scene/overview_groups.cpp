#include "ui/graph/scene/overview_groups.h"

#include "ui/graph/scene/graph_scene.h"
#include "ui/graph/scene/inner_graph.h"
#include "ui/graph/scene/node_item.h"
#include "ui/graph/scene/note_item.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>

namespace sg::ui {
namespace {

constexpr double kGroupHead = 24;
constexpr double kAroundBoxes = 6; // between the boxes and the frame
constexpr double kNarrowestHead = 60; // with less room the frame has no head
// The states that a group is looked at for, the worst first; the head counts in this order.
constexpr StateKind kWorstFirst[] = { StateKind::Failed,  StateKind::Waiting, StateKind::Paused,
                                      StateKind::Running, StateKind::Stopped, StateKind::Partial,
                                      StateKind::Done,    StateKind::Cached,  StateKind::Queued,
                                      StateKind::Skipped };

StateKind worstOf(const std::map<StateKind, int>& counts)
{
    for (const StateKind kind : kWorstFirst)
        if (isLoud(kind) && counts.contains(kind))
            return kind;
    return StateKind::Idle;
}

} // namespace

std::vector<OverviewGroup> overviewGroups(const GraphScene& scene, const QTransform& toView,
                                          const QSizeF& box, const QRectF& visible)
{
    std::vector<OverviewGroup> groups;
    const double line = QFontMetricsF(uiFont(TextSize::Small)).height();
    for (const NoteItem* note : scene.notes()) {
        if (!note->isFrame())
            continue;
        OverviewGroup group;
        group.title = note->text().section(QLatin1Char('\n'), 0, 0);
        group.place = toView.mapRect(note->rect().translated(note->pos()));
        if (!group.place.adjusted(-box.width(), -box.height() - kGroupHead, box.width(), box.height() + line)
                 .intersects(visible))
            continue;
        QRectF inside;
        for (const NodeItem* node : scene.nodes()) {
            const QPointF centre = node->card().center();
            if (node->node().kind != DrawnNode::Kind::Card || !note->rect().contains(centre))
                continue;
            inside |= QRectF(toView.map(centre) - QPointF(box.width(), box.height()) / 2, box);
            if (node->state().kind != StateKind::Idle)
                ++group.counts[node->state().kind];
        }
        group.worst = worstOf(group.counts);
        if (!inside.isNull())
            group.place |= inside.adjusted(-kAroundBoxes, -kAroundBoxes, kAroundBoxes, kAroundBoxes + line);
        if (group.place.width() >= kNarrowestHead) {
            const double top = inside.isNull() ? group.place.top() + kGroupHead : inside.top() - 2;
            group.place.setTop(std::min(group.place.top(), top - kGroupHead));
            group.head = QRectF(group.place.topLeft(), QSizeF(group.place.width(), kGroupHead));
        }
        groups.push_back(std::move(group));
    }
    for (const NodeItem* node : scene.nodes())
        if (const InnerGraph* inside = node->inside()) {
            OverviewGroup group;
            group.place = toView.mapRect(node->card());
            if (!group.place.intersects(visible))
                continue;
            group.counts = inside->counts();
            group.worst = worstOf(group.counts);
            if (group.place.width() >= kNarrowestHead && group.place.height() > box.height() + 2 * kGroupHead)
                group.head = QRectF(group.place.topLeft(), QSizeF(group.place.width(), kGroupHead));
            groups.push_back(std::move(group)); // its box with the name stands in the middle
        }
    return groups;
}

void paintGroup(QPainter& painter, const OverviewGroup& group)
{
    QColor fill = color(&Tokens::neutralTint);
    fill.setAlphaF(0.45F);
    const bool isLoudInside = group.worst != StateKind::Idle;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(fill);
    painter.setPen(QPen(color(isLoudInside ? stateToken(group.worst) : &Tokens::line),
                        group.worst == StateKind::Failed ? 2
                            : isLoudInside               ? 1.5
                                                         : 1));
    painter.drawRoundedRect(group.place, 6, 6);
    if (group.head.isNull())
        return;
    const QFont font = uiFont(TextSize::Small);
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    const QFont bold = uiFont(TextSize::Dense, QFont::DemiBold);
    const double titleRoom = QFontMetricsF(bold).horizontalAdvance(group.title) + 20;
    double right = group.head.right() - 8;
    constexpr double kGlyph = 12;
    for (auto kind = std::rbegin(kWorstFirst); kind != std::rend(kWorstFirst); ++kind) {
        const auto count = group.counts.find(*kind);
        if (count == group.counts.end())
            continue;
        const QString words = QString::number(count->second);
        const double width = metrics.horizontalAdvance(words) + kGlyph + 4;
        const bool fits = right - width > group.head.left() + (isLoud(*kind) ? 8 : titleRoom);
        if (!fits)
            continue; // what somebody looks for may stand where the title would
        const double y = group.head.center().y();
        painter.setPen(color(&Tokens::text));
        painter.drawText(QRectF(right - width + kGlyph + 4, group.head.top(), width, group.head.height()),
                         Qt::AlignLeft | Qt::AlignVCenter, words);
        paintStateGlyph(painter, *kind, QRectF(right - width, y - kGlyph / 2, kGlyph, kGlyph),
                        tokens().canvas);
        right -= width + 8;
    }
    painter.setFont(bold);
    painter.setPen(color(&Tokens::text));
    const QRectF room(group.head.left() + 8, group.head.top(), right - group.head.left() - 12,
                      group.head.height());
    if (room.width() > 16)
        painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                         QFontMetricsF(bold).elidedText(group.title, Qt::ElideRight, room.width()));
}

} // namespace sg::ui
