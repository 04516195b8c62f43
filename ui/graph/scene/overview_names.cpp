#include "ui/graph/scene/overview_names.h"

#include "ui/graph/scene/graph_scene.h"
#include "ui/graph/scene/node_card.h"
#include "ui/graph/scene/node_item.h"
#include "ui/graph/scene/overview_groups.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>

namespace sg::ui {
namespace {

constexpr double kBoxWidth = 44;
constexpr double kBoxHeight = 22;
constexpr double kBetweenBoxes = 4; // boxes
constexpr double kNameGap = 2; // between a box and its name
constexpr double kLongestName = 150;
constexpr double kInsideLeft = 7; // of a name that stands in its box
constexpr double kInsideFrom = 40; // narrower boxes hold no name
constexpr double kShortestName = 34; // a name that is cut shorter tells nothing

int rankOf(const NodeItem& node)
{
    if (node.isSelected())
        return 0;
    const StateKind kind = node.state().kind;
    return kind == StateKind::Failed               ? 1
        : isLoud(kind)                             ? 2
        : isQuiet(kind) && kind != StateKind::Idle ? 4
                                                   : 3;
}

// The least distances between the centres of cards that stand beside and above each other.
QSizeF pitchOf(const GraphScene& scene)
{
    std::vector<QPointF> centres;
    for (const NodeItem* node : scene.nodes())
        if (node->node().kind == DrawnNode::Kind::Card)
            centres.push_back(node->card().center());
    std::ranges::sort(centres, {}, [](const QPointF& at) { return at.x(); });
    QSizeF pitch(std::numeric_limits<double>::max(), std::numeric_limits<double>::max());
    for (std::size_t i = 0; i < centres.size(); ++i)
        for (std::size_t k = i + 1; k < centres.size(); ++k) {
            const double x = centres[k].x() - centres[i].x();
            const double y = std::abs(centres[k].y() - centres[i].y());
            if (x >= std::min(pitch.width(), 2 * kCardWidth) && x >= kCardWidth)
                break;
            if (x < kCardWidth && y >= kCardHeight)
                pitch.setHeight(std::min(pitch.height(), y));
            else if (x >= kCardWidth && y < kCardHeight)
                pitch.setWidth(std::min(pitch.width(), x));
        }
    return pitch;
}

} // namespace

// The areas that are taken; an area is noted in each square of a grid that it touches.
class OverviewNames::Taken {
public:
    void add(const QRectF& area)
    {
        each(area, [&](std::uint64_t square) {
            m_squares[square].push_back(area);
            return false;
        });
    }
    [[nodiscard]] bool isFree(const QRectF& area) const
    {
        return !each(area, [&](std::uint64_t square) {
            const auto found = m_squares.find(square);
            return found != m_squares.end() && std::ranges::any_of(found->second, [&](const QRectF& taken) {
                       return taken.intersects(area);
                   });
        });
    }

private:
    static constexpr double kSide = 64;
    template<typename Visit>
    static bool each(const QRectF& area, const Visit& visit)
    {
        const auto at = [](double place) { return static_cast<std::int32_t>(std::floor(place / kSide)); };
        for (std::int32_t y = at(area.top()); y <= at(area.bottom()); ++y)
            for (std::int32_t x = at(area.left()); x <= at(area.right()); ++x)
                if (visit(static_cast<std::uint64_t>(static_cast<std::uint32_t>(x)) << 32U
                          | static_cast<std::uint32_t>(y)))
                    return true;
        return false;
    }
    std::unordered_map<std::uint64_t, std::vector<QRectF>> m_squares;
};

void OverviewNames::forget()
{
    m_zoom = 0;
}

std::size_t OverviewNames::count() const
{
    return static_cast<std::size_t>(std::ranges::count_if(m_names, &Name::isPlaced));
}

// A box is as large as the design says if neighbours leave room, and never smaller than the card.
void OverviewNames::measureBoxes(const GraphScene& scene, double zoom)
{
    const QSizeF pitch = pitchOf(scene);
    const double line = QFontMetricsF(uiFont(TextSize::Small)).height();
    const auto grown = [](double card, double wanted, double room) {
        return std::max(card, std::min(wanted, room));
    };
    m_box = { grown(kCardWidth * zoom, kBoxWidth, pitch.width() * zoom - kBetweenBoxes),
              grown(kCardHeight * zoom, kBoxHeight,
                    pitch.height() * zoom - kBetweenBoxes - kNameGap - line) };
}

void OverviewNames::layOut(const GraphScene& scene, double zoom)
{
    m_zoom = zoom;
    measureBoxes(scene, m_zoom);
    const QTransform scaled = QTransform::fromScale(m_zoom, m_zoom);
    const auto& nodes = scene.nodes();
    m_names.assign(nodes.size(), {});
    Taken areas;
    for (const OverviewGroup& group :
         overviewGroups(scene, scaled, m_box, scaled.mapRect(scene.contentRect())))
        if (!group.head.isNull())
            areas.add(group.head);
    std::vector<QRectF> boxes;
    for (const NodeItem* node : nodes) {
        const bool isCard = node->node().kind == DrawnNode::Kind::Card;
        QRectF box = scaled.mapRect(node->card());
        if (isCard)
            box = QRectF(box.center() - QPointF(m_box.width(), m_box.height()) / 2, m_box);
        boxes.push_back(box);
        areas.add(box);
    }
    std::vector<std::size_t> order(nodes.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return rankOf(*nodes[i]); });
    for (const std::size_t i : order)
        if (nodes[i]->node().kind == DrawnNode::Kind::Card)
            m_names[i] = placed(*nodes[i], boxes[i], areas);
}

OverviewNames::Name OverviewNames::placed(const NodeItem& node, const QRectF& box, Taken& areas)
{
    Name name;
    const StateKind kind = node.state().kind;
    name.isLoud = isLoud(kind) || node.isSelected();
    name.isQuiet = !name.isLoud && isQuiet(kind) && kind != StateKind::Idle;
    const QFont font = uiFont(TextSize::Small, name.isLoud ? QFont::DemiBold : QFont::Normal);
    const QFontMetricsF metrics(font);
    const auto put = [&](const QString& text) {
        const QSizeF size(metrics.horizontalAdvance(text), metrics.height());
        const double left = box.center().x() - size.width() / 2;
        const double middle = box.center().y() - size.height() / 2;
        for (const QPointF& corner :
             { QPointF(left, box.bottom() + kNameGap), QPointF(box.right() + 2 * kNameGap, middle),
               QPointF(left, box.top() - kNameGap - size.height()) }) {
            const QRectF area(corner, size);
            if (!areas.isFree(area.adjusted(-1, 0, 1, 0)))
                continue;
            areas.add(area);
            name.text.setTextFormat(Qt::PlainText);
            name.text.setPerformanceHint(QStaticText::AggressiveCaching);
            name.text.setText(text);
            name.text.prepare({}, font);
            name.from = corner - box.center();
            name.isPlaced = true;
            return true;
        }
        return false;
    };
    const QString title = node.title();
    QString text = metrics.elidedText(title, Qt::ElideRight, kLongestName);
    for (const double room : { kLongestName, 80.0, 56.0, 40.0 }) {
        const QString cut = metrics.elidedText(title, Qt::ElideRight, room);
        if (room < kLongestName && (cut == text || metrics.horizontalAdvance(cut) < kShortestName))
            continue;
        text = cut;
        if (put(cut))
            return name;
    }
    // In the box, in place of the glyph: bar and border still tell the state.
    text = metrics.elidedText(title, Qt::ElideRight, box.width() - kInsideLeft - 2);
    if (box.width() >= kInsideFrom && box.height() >= metrics.ascent()) {
        name.text.setTextFormat(Qt::PlainText);
        name.text.setText(text);
        name.text.prepare({}, font);
        name.from = QPointF(kInsideLeft - box.width() / 2, -metrics.height() / 2);
        name.isPlaced = name.isInside = true;
    }
    return name;
}

void OverviewNames::paint(QPainter& painter, const GraphScene& scene, const QTransform& toView,
                          const QRectF& visible) const
{
    const QFont plain = uiFont(TextSize::Small);
    const QFont bold = uiFont(TextSize::Small, QFont::DemiBold);
    QColor halo = color(&Tokens::canvas);
    halo.setAlphaF(0.8F);
    const auto& nodes = scene.nodes();
    for (std::size_t i = 0; i < nodes.size() && i < m_names.size(); ++i) {
        const Name& name = m_names[i];
        if (!name.isPlaced)
            continue;
        const QPointF corner = toView.map(nodes[i]->card().center()) + name.from;
        const QRectF area(QPointF(std::round(corner.x()), std::round(corner.y())), name.text.size());
        if (!area.intersects(visible))
            continue;
        if (name.isInside) {
            const QRectF box(area.left(), area.center().y() - m_box.height() / 2 + 2,
                             m_box.width() - kInsideLeft - 2, m_box.height() - 4);
            painter.fillRect(box, color(&Tokens::raised));
        } else {
            painter.fillRect(area.adjusted(-1, 1, 1, -1), halo); // edges may pass there
        }
        painter.setOpacity(scene.isKept(*nodes[i]) ? 1 : 0.35);
        painter.setFont(name.isLoud ? bold : plain);
        painter.setPen(color(name.isQuiet ? &Tokens::muted : &Tokens::text));
        painter.drawStaticText(area.topLeft(), name.text);
        painter.setOpacity(1);
    }
}

} // namespace sg::ui
