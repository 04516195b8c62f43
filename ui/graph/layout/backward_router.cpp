#include "ui/graph/layout/backward_router.h"

#include "ui/graph/layout/route_path.h"

#include <algorithm>
#include <cmath>

namespace sg::ui {

namespace {

constexpr double kSideInset = 48; // where backward edges leave and arrive at the bottom
constexpr double kBelow = 24;
constexpr double kBelowLabelled = 56;

int laneOf(double level)
{
    return static_cast<int>(std::floor(level / kLane));
}

void setLabelBelow(EdgeRoute& route, double x, double bottom, double width)
{
    if (width > 0)
        route.label = QRectF(x - width / 2, bottom + 30 - kLabelHeight / 2, width, kLabelHeight);
}

} // namespace

BackwardRouter::BackwardRouter(const GraphDrawing& drawing, const std::vector<QRectF>& rects,
                               const CardIndex& cards, const PortPlaces& ports)
    : m_drawing(drawing)
    , m_rects(rects)
    , m_cards(cards)
    , m_ports(ports)
    , m_leaving(drawing.nodes.size())
{
}

EdgeRoute BackwardRouter::route(const DrawnEdge& edge, const RouteTarget& target, double width)
{
    const QRectF& source = m_rects[edge.from];
    EdgeRoute route;
    route.backward = true;
    route.hasArrow = target.arrow;
    const bool isCard = target.arrow && m_drawing.nodes[edge.to].kind == DrawnNode::Kind::Card;
    const double leave =
        source.right() - std::min(kSideInset, source.width() / 3) - 24.0 * m_leaving[edge.from];
    if (isCard && target.rect.top() > source.bottom() + kSideRoom && leave > target.rect.right() + kSideRoom
        && clearBelow(leave, source.bottom(), target.rect.center().y(), edge)) {
        ++m_leaving[edge.from];
        route.tip = QPointF(target.rect.right() + kPortRadius, target.rect.center().y());
        route.heading = Heading::Left;
        route.path.moveTo(leave, source.bottom());
        addRounded(route.path, { { leave, route.tip.y() }, route.tip + QPointF(kArrowBack, 0) });
        setLabelBelow(route, leave, source.bottom(), width);
        return route;
    }
    const double arrive = target.rect.left() + std::min(kSideInset, target.rect.width() / 3);
    if (isCard && width <= 0 && source.top() > target.rect.bottom() + kSideRoom
        && source.left() > arrive + kSideRoom
        && clearBelow(arrive, target.rect.bottom(), source.center().y(), edge)) {
        route.tip = QPointF(arrive, target.rect.bottom() + kPortRadius);
        route.heading = Heading::Up;
        route.path.moveTo(source.left(), source.center().y());
        addRounded(route.path, { { arrive, source.center().y() }, route.tip + QPointF(0, kArrowBack) });
        return route;
    }
    passBelow(route, edge, target, leave, arrive, width);
    return route;
}

void BackwardRouter::passBelow(EdgeRoute& route, const DrawnEdge& edge, const RouteTarget& target,
                               double leave, double arrive, double width)
{
    const QRectF& source = m_rects[edge.from];
    const double left = std::min(target.rect.left(), source.left()) - kSideRoom;
    const double right = std::max(source.right(), target.rect.right()) + kSideRoom;
    const double level =
        freeLevel(edge, source, target.rect, left, right, width > 0 ? kBelowLabelled : kBelow);
    std::vector<QPointF> points;
    if (clearBelow(leave, source.bottom(), level, edge)) {
        ++m_leaving[edge.from];
        route.path.moveTo(leave, source.bottom());
        points.push_back({ leave, level });
        setLabelBelow(route, leave, source.bottom(), width);
    } else {
        const QPointF port = m_ports.of(edge);
        route.path.moveTo(port);
        points.push_back({ port.x() + kSideRoom, port.y() });
        points.push_back({ port.x() + kSideRoom, level });
        setLabelBelow(route, port.x() + kSideRoom, source.bottom(), width);
    }
    const bool isCard = target.arrow && m_drawing.nodes[edge.to].kind == DrawnNode::Kind::Card;
    if (isCard && clearBelow(arrive, target.rect.bottom(), level, edge)) {
        route.tip = QPointF(arrive, target.rect.bottom() + kPortRadius);
        route.heading = Heading::Up;
        points.push_back({ arrive, level });
        points.push_back(route.tip + QPointF(0, kArrowBack));
    } else {
        route.tip = target.in;
        route.heading = Heading::Right;
        const double column = target.in.x() - kSideRoom;
        points.push_back({ column, level });
        points.push_back({ column, target.in.y() });
        points.push_back(target.in - QPointF(target.arrow ? kArrowBack : 0, 0));
    }
    addRounded(route.path, points);
}

bool BackwardRouter::clearBelow(double x, double top, double bottom, const DrawnEdge& edge) const
{
    return !m_cards.touches(QRectF(x - kClear, top, 2 * kClear, std::max(1.0, bottom - top)), edge.from,
                            edge.to);
}

// The lowest of the passages that are too near.
const BackwardRouter::Passage* BackwardRouter::passageAt(double level, double left, double right) const
{
    const Passage* lowest = nullptr;
    for (const int lane : { laneOf(level) - 1, laneOf(level), laneOf(level) + 1 }) {
        const auto taken = m_passages.find(lane);
        if (taken == m_passages.end())
            continue;
        for (const Passage& passage : taken->second)
            if (passage.left < right && left < passage.right && std::abs(passage.level - level) < kLane - 2
                && (!lowest || passage.level > lowest->level))
                lowest = &passage;
    }
    return lowest;
}

// The y coordinate of a passage below the cards in between that no earlier edge has taken.
double BackwardRouter::freeLevel(const DrawnEdge& edge, const QRectF& source, const QRectF& target,
                                 double left, double right, double below)
{
    double level =
        std::max(source.bottom(),
                 edge.join == kNoJoin ? target.bottom()
                                      : std::max(target.bottom(), target.center().y() + kCardHeight / 2))
        + below;
    for (bool moved = true; moved;) {
        moved = false;
        double under = level; // below all cards in the way
        m_cards.visit(QRectF(left, level - kClear, right - left, 2 * kClear), [&](std::size_t card) {
            under = std::max(under, m_cards.card(card).bottom() + kClear + 6);
            return false;
        });
        moved = under > level;
        level = under;
        while (const Passage* taken = passageAt(level, left, right)) {
            level = taken->level + kLane;
            moved = true;
        }
    }
    m_passages[laneOf(level)].push_back({ left, right, level });
    return level;
}

} // namespace sg::ui
