#include "ui/graph/layout/edge_routes.h"

#include "ui/graph/layout/backward_router.h"
#include "ui/graph/layout/card_index.h"
#include "ui/graph/layout/port_places.h"
#include "ui/graph/layout/route_changes.h"
#include "ui/graph/layout/route_path.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

namespace sg::ui {

namespace {

constexpr double kBarDistance = 24;
constexpr double kBarWidth = 4;
constexpr double kBarHeight = 40;
constexpr double kGap = kSideRoom;
constexpr double kDetourReach = 400; // how far a detour goes above and below the middle
constexpr double kDetourSlack = 100; // margin for cards that begin there, and for the space beside them
constexpr std::size_t kMostMoved = 40; // with more moved nodes, routing everything is as fast
constexpr std::size_t kLabelsAtSource = 2; // with more outcomes, labels are put before their targets

class Router {
public:
    explicit Router(const RouteInput& input)
        : m_input(input)
        , m_rects(rectsOf(input))
        , m_cards(m_rects)
        , m_ports(input.drawing, m_rects)
    {
    }

    // `before` is null if nothing is known about earlier routes.
    Routes run(RouteChanges* before = nullptr)
    {
        Routes routes;
        placeBars(routes);
        routes.edges.resize(m_input.drawing.edges.size());
        std::vector<std::size_t> back;
        std::vector<bool> otherEnds =
            before ? before->lostEdge : std::vector<bool>(m_rects.size(), true); // nodes whose edges changed
        for (std::size_t i = 0; i < routes.edges.size(); ++i) {
            const DrawnEdge& edge = m_input.drawing.edges[i];
            const RouteTarget target = targetOf(edge, routes);
            if (before && isUntouched(i, target, *before)) {
                routes.edges[i] = std::move(before->known.edges[before->sameAs[i]]);
                continue;
            }
            otherEnds[edge.from] = otherEnds[edge.to] = true;
            if (edge.open)
                routes.edges[i] = openRoute(edge);
            else if (target.in.x() >= m_rects[edge.from].right() + kGap / 2)
                routes.edges[i] = forwardRoute(i, edge, target);
            else
                back.push_back(i);
        }
        // Shorter edges run nearer to the cards.
        std::stable_sort(back.begin(), back.end(),
                         [&](std::size_t a, std::size_t b) { return reach(a) < reach(b); });
        BackwardRouter backward(m_input.drawing, m_rects, m_cards, m_ports);
        for (const std::size_t i : back) {
            const DrawnEdge& edge = m_input.drawing.edges[i];
            routes.edges[i] = backward.route(edge, targetOf(edge, routes), widthOf(edge.label));
        }
        for (std::size_t i = 0; i < routes.edges.size(); ++i)
            if (EdgeRoute& route = routes.edges[i]; route.bounds.isNull())
                route.bounds = route.path.controlPointRect() | route.label;
        if (before)
            takePorts(routes, *before, otherEnds);
        collectPorts(routes, otherEnds);
        return routes;
    }

private:
    static std::vector<QRectF> rectsOf(const RouteInput& input)
    {
        std::vector<QRectF> rects;
        for (std::size_t i = 0; i < input.drawing.nodes.size(); ++i)
            rects.push_back(nodeRect(input.drawing.nodes[i], input.centres[i]));
        return rects;
    }

    // Tells whether the old route is still right: a forward edge between cards that did not move, with no
    // change where it looked for its way. Backward edges depend on each other and are always routed again.
    [[nodiscard]] bool isUntouched(std::size_t index, const RouteTarget& target,
                                   const RouteChanges& before) const
    {
        const DrawnEdge& edge = m_input.drawing.edges[index];
        if (before.sameAs[index] == RouteChanges::kNew || before.otherPorts[edge.from]
            || before.moved[edge.from] || before.moved[edge.to])
            return false;
        if (edge.open)
            return true;
        if (target.in.x() < m_rects[edge.from].right() + kGap / 2)
            return false;
        const QRectF between = QRectF(m_rects[edge.from].center(), target.in).normalized();
        const double middle = between.center().y();
        const QRectF room(between.left(), std::min(between.top(), middle - kDetourReach) - kDetourSlack,
                          between.width(), std::max(between.height(), 2 * kDetourReach) + 2 * kDetourSlack);
        return std::ranges::none_of(before.places,
                                    [&](const QRectF& place) { return place.intersects(room); });
    }

    // Keeps the ports of nodes whose edges all kept their routes.
    static void takePorts(Routes& routes, RouteChanges& before, std::vector<bool>& otherEnds)
    {
        routes.ports.resize(otherEnds.size());
        for (std::size_t i = 0; i < otherEnds.size(); ++i)
            if (before.wasNode[i] == RouteChanges::kNew)
                otherEnds[i] = true;
            else if (!otherEnds[i])
                routes.ports[i] = std::move(before.known.ports[before.wasNode[i]]);
    }

    // Adds a port wherever an edge touches the left or right side of one of `nodes`.
    void collectPorts(Routes& routes, const std::vector<bool>& nodes) const
    {
        routes.ports.resize(m_rects.size());
        const auto add = [&](std::size_t node, const QPointF& at) {
            const QRectF& rect = m_rects[node];
            for (const double side : { rect.left(), rect.right() }) {
                if (std::abs(at.x() - side) > kPortRadius + 1 || at.y() < rect.top() + 1
                    || at.y() > rect.bottom() - 1)
                    continue;
                const QPointF port(side - rect.left(), at.y() - rect.top());
                auto& ports = routes.ports[node];
                if (std::find(ports.begin(), ports.end(), port) == ports.end())
                    ports.push_back(port);
            }
        };
        for (std::size_t i = 0; i < routes.edges.size(); ++i) {
            const DrawnEdge& edge = m_input.drawing.edges[i];
            if (nodes[edge.from])
                add(edge.from, routes.edges[i].path.elementAt(0));
            if (nodes[edge.to] && !edge.open && edge.join == kNoJoin)
                add(edge.to, routes.edges[i].tip);
        }
        for (std::size_t i = 0; i < routes.joins.size(); ++i)
            if (nodes[m_input.drawing.joins[i].to])
                add(m_input.drawing.joins[i].to, routes.joins[i].exit.tip);
    }

    void placeBars(Routes& routes)
    {
        std::map<std::size_t, int> barsBefore; // bars placed so far before each node
        for (const DrawnJoin& join : m_input.drawing.joins) {
            const QRectF& rect = m_rects[join.to];
            const double right = rect.left() - kBarDistance - 26.0 * barsBefore[join.to]++;
            JoinRoute route;
            route.bar = QRectF(right - kBarWidth, rect.center().y() - kBarHeight / 2, kBarWidth, kBarHeight);
            route.textTop = QPointF(route.bar.center().x(), route.bar.bottom() + 4);
            const QPointF in = arrival(join.to);
            route.exit.path.moveTo(right, in.y());
            route.exit.path.lineTo(in.x() - kArrowBack, in.y());
            route.exit.tip = in;
            routes.joins.push_back(route);
        }
    }

    [[nodiscard]] QPointF arrival(std::size_t node) const
    {
        const bool card = m_input.drawing.nodes[node].kind == DrawnNode::Kind::Card;
        return inPort(m_rects[node]) - QPointF(card ? kPortRadius : 0, 0);
    }

    [[nodiscard]] RouteTarget targetOf(const DrawnEdge& edge, const Routes& routes) const
    {
        if (edge.join == kNoJoin)
            return { m_rects[edge.to], arrival(edge.to), true };
        const QRectF& bar = routes.joins[edge.join].bar;
        const double from = m_ports.of(edge).y();
        const double spread = std::clamp((from - bar.center().y()) * 0.16, -16.0, 16.0);
        return { bar, QPointF(bar.left(), bar.center().y() + spread), false };
    }

    [[nodiscard]] double reach(std::size_t index) const
    {
        const DrawnEdge& edge = m_input.drawing.edges[index];
        return std::abs(m_rects[edge.from].right() - m_rects[edge.to].left());
    }

    [[nodiscard]] double widthOf(const std::string& label) const
    {
        return label.empty() ? 0 : m_input.labelWidth(label);
    }

    // A short dashed line: its target is decided while the graph runs.
    [[nodiscard]] EdgeRoute openRoute(const DrawnEdge& edge) const
    {
        EdgeRoute route;
        const QPointF from = m_ports.of(edge);
        route.tip = from + QPointF(34, 0);
        route.path.moveTo(from);
        route.path.lineTo(route.tip - QPointF(kArrowBack, 0));
        return route;
    }

    [[nodiscard]] EdgeRoute forwardRoute(std::size_t index, const DrawnEdge& edge,
                                         const RouteTarget& target) const
    {
        EdgeRoute route;
        route.tip = target.in;
        route.hasArrow = target.arrow;
        const QPointF port = m_ports.of(edge);
        const QPointF end = target.in - QPointF(target.arrow ? kArrowBack : 0, 0);
        QPointF first = port;
        QPointF last = end;
        if (const double width = widthOf(edge.label); width > 0) {
            const double room = end.x() - port.x();
            const double inset = std::clamp(room - width - 16, 4.0, 10.0);
            if (m_ports.count(edge.from) <= kLabelsAtSource) {
                route.label = QRectF(port.x() + inset, port.y() - kLabelHeight / 2, width, kLabelHeight);
                first.setX(std::min(end.x(), route.label.right() - 2));
            } else {
                route.label =
                    QRectF(end.x() - inset - width - 2, end.y() - kLabelHeight / 2, width, kLabelHeight);
                last.setX(std::max(port.x(), route.label.left() + 2));
            }
        }
        route.path.moveTo(port);
        route.path.lineTo(first);
        const bool knowsWay = index < m_input.bends.size() && !m_input.bends[index].empty();
        if (knowsWay)
            addBends(route.path, m_input.bends[index], last);
        else if (const auto detour = detourAround(edge, first, last))
            addRounded(route.path, *detour);
        else
            addCurve(route.path, last);
        if (last != end)
            route.path.lineTo(end);
        return route;
    }

    static void addBends(QPainterPath& path, const std::vector<QPointF>& bends, const QPointF& end)
    {
        for (const QPointF& bend : bends) {
            addCurve(path, bend - QPointF(kCardWidth / 2, 0));
            path.lineTo(bend + QPointF(kCardWidth / 2, 0));
        }
        addCurve(path, end);
    }

    // The points of a detour around cards that a curve from `from` to `to` would cross, if there are any.
    [[nodiscard]] std::optional<std::vector<QPointF>> detourAround(const DrawnEdge& edge, const QPointF& from,
                                                                   const QPointF& to) const
    {
        if (to.x() - from.x() < kCardWidth)
            return std::nullopt;
        // Most curves have only their own cards between their ends.
        const QRectF room = QRectF(from, to).normalized().adjusted(0, -2, 0, 2);
        if (!m_cards.touches(room, edge.from, edge.to) || !crossesCard(edge, from, to))
            return std::nullopt;
        const double left = from.x() + 14;
        const double right = to.x() - 14;
        const double middle = (from.y() + to.y()) / 2;
        // A heap with the level nearest to the middle on top; most edges need only the first few.
        const auto farther = [&](double a, double b) {
            const double awayA = std::abs(a - middle);
            const double awayB = std::abs(b - middle);
            return awayA != awayB ? awayA > awayB : a > b; // never the order of the cards
        };
        std::vector<double> levels{ from.y(), to.y() };
        m_cards.visit(QRectF(left, middle - kDetourReach, right - left, 2 * kDetourReach),
                      [&](std::size_t card) {
                          levels.push_back(m_cards.card(card).bottom() + kLane);
                          levels.push_back(m_cards.card(card).top() - kLane);
                          return false;
                      });
        std::make_heap(levels.begin(), levels.end(), farther);
        for (double blocked = std::numeric_limits<double>::max(); !levels.empty(); levels.pop_back()) {
            std::pop_heap(levels.begin(), levels.end(), farther);
            const double level = levels.back();
            if (level == blocked) // cards in a row share a level
                continue;
            if (!m_cards.touches(QRectF(left, level - kClear, right - left, 2 * kClear), edge.from, edge.to))
                return std::vector<QPointF>{
                    { left, from.y() }, { left, level }, { right, level }, { right, to.y() }, to
                };
            blocked = level;
        }
        return std::nullopt;
    }

    [[nodiscard]] bool crossesCard(const DrawnEdge& edge, const QPointF& from, const QPointF& to) const
    {
        constexpr int kSamples = 24;
        for (int i = 1; i < kSamples; ++i) {
            const QPointF at = pointOnCurve(from, to, static_cast<double>(i) / kSamples);
            if (m_cards.touches(QRectF(at.x() - 2, at.y() - 2, 4, 4), edge.from, edge.to))
                return true;
        }
        return false;
    }

    const RouteInput& m_input;
    std::vector<QRectF> m_rects;
    CardIndex m_cards;
    PortPlaces m_ports;
};

} // namespace

QRectF Routes::bounds() const
{
    QRectF all;
    for (const EdgeRoute& edge : edges)
        all |= edge.bounds;
    for (const JoinRoute& join : joins)
        all |= join.bar | QRectF(join.textTop - QPointF(24, 0), QSizeF(48, 14));
    return all;
}

QRectF nodeRect(const DrawnNode& node, const QPointF& centre)
{
    return { centre.x() - node.width() / 2, centre.y() - node.height() / 2, node.width(), node.height() };
}

QPointF inPort(const QRectF& rect)
{
    return { rect.left(), rect.center().y() };
}

Routes routeEdges(const RouteInput& input)
{
    return Router(input).run();
}

Routes routeEdgesAnew(const RouteInput& input, const RoutedBefore& before)
{
    if (!input.bends.empty() || before.routes.edges.size() != before.drawing.edges.size())
        return routeEdges(input);
    RouteChanges changes = routeChanges(input, before);
    return changes.places.size() > 2 * kMostMoved ? routeEdges(input) : Router(input).run(&changes);
}

} // namespace sg::ui
