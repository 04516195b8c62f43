#include "ui/graph/edits/graph_document.h"

#include "ui/graph/edits/graph_change.h"
#include "ui/graph/edits/graph_edits.h"
#include "ui/graph/layout/drawing_layout.h"

#include <QApplication>
#include <QFontMetricsF>
#include <QUndoCommand>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace sg::ui {

namespace {

constexpr double kWidestLabel = 120;
constexpr double kTerminalGap = 40;
constexpr double kDefaultRow = 76;

// A hostile file may hold any number, but the scene needs coordinates that can be drawn.
constexpr double kFarthest = 1e6;

QFont pillFont()
{
    QFont font = QApplication::font();
    font.setPixelSize(11);
    return font;
}

using Places = std::vector<std::optional<QPointF>>;

Places placesOf(const graph::Graph& graph, const GraphDrawing& drawing)
{
    const auto pointOf = [](const graph::Position& position) {
        const bool isNear = std::abs(position.x) <= kFarthest && std::abs(position.y) <= kFarthest;
        return isNear ? std::optional(QPointF(position.x, position.y)) : std::nullopt;
    };
    std::unordered_map<std::string_view, const graph::Position*> written; // filled when it is first needed
    std::size_t next = 0; // usually the layout has the order of the nodes
    Places places;
    places.reserve(drawing.nodes.size());
    for (const DrawnNode& node : drawing.nodes) {
        if (next < graph.layout.size() && graph.layout[next].first == node.id) {
            places.push_back(pointOf(graph.layout[next++].second));
            continue;
        }
        if (node.kind != DrawnNode::Kind::Card) { // at most two, and seldom with places
            const auto found =
                std::ranges::find(graph.layout, node.id, &std::pair<NodeId, graph::Position>::first);
            places.push_back(found == graph.layout.end() ? std::nullopt : pointOf(found->second));
            continue;
        }
        if (written.empty())
            for (const auto& [id, position] : graph.layout)
                written.emplace(id.value, &position);
        const auto found = written.find(node.id.value);
        places.push_back(found == written.end() ? std::nullopt : pointOf(*found->second));
    }
    return places;
}

DrawingLayout layOut(const GraphDrawing& drawing)
{
    std::vector<double> labelWidths;
    for (const DrawnEdge& edge : drawing.edges)
        labelWidths.push_back(edge.label.empty() ? 0 : labelPillWidth(edge.label));
    return layOutDrawing(drawing, labelWidths);
}

// Tells whether both drawings differ at most in the texts of their cards.
bool hasSameShape(const GraphDrawing& a, const GraphDrawing& b)
{
    return a.edges == b.edges && a.joins == b.joins
        && std::ranges::equal(a.nodes, b.nodes, [](const DrawnNode& one, const DrawnNode& other) {
               return one.id == other.id && one.kind == other.kind && one.outcomes == other.outcomes;
           });
}

// A terminal without a place is put beside the nodes that it is linked to.
void placeTerminals(const GraphDrawing& drawing, Places& places)
{
    for (std::size_t i = 0; i < drawing.nodes.size(); ++i) {
        const DrawnNode& node = drawing.nodes[i];
        if (places[i] || node.kind == DrawnNode::Kind::Card)
            continue;
        const bool start = node.kind == DrawnNode::Kind::Start;
        double x = start ? std::numeric_limits<double>::max() : std::numeric_limits<double>::lowest();
        double y = 0;
        int count = 0;
        for (const DrawnEdge& edge : drawing.edges) {
            const std::size_t other = start ? edge.to : edge.from;
            if ((start ? edge.from : edge.to) != i || !places[other] || other == i)
                continue;
            x = start ? std::min(x, places[other]->x()) : std::max(x, places[other]->x());
            y += places[other]->y();
            ++count;
        }
        const int linked = count;
        for (const auto& place : places)
            if (linked == 0 && place) { // it is put beside all nodes
                x = start ? std::min(x, place->x()) : std::max(x, place->x());
                y += place->y();
                ++count;
            }
        if (count == 0)
            continue;
        const double away = kCardWidth / 2 + kTerminalGap + kTerminalWidth / 2;
        places[i] = QPointF(start ? x - away : x + away, y / count);
    }
}

// Nodes without a place in the file are put in a row below the others.
void placeRest(Places& places)
{
    double left = std::numeric_limits<double>::max();
    double bottom = std::numeric_limits<double>::lowest();
    for (const auto& place : places)
        if (place) {
            left = std::min(left, place->x());
            bottom = std::max(bottom, place->y());
        }
    int column = 0;
    for (auto& place : places)
        if (!place)
            place = QPointF(left + 200 * column++, bottom + 2 * kDefaultRow);
}

} // namespace

// A step refers to the graph only through its document; the change holds what it needs to undo and redo.
class GraphDocument::Step final : public QUndoCommand {
public:
    Step(GraphDocument& document, const QString& title, GraphChange change, QString mergeKey)
        : QUndoCommand(title)
        , m_document(document)
        , m_path(document.path())
        , m_change(std::move(change))
        , m_mergeKey(std::move(mergeKey))
    {
    }
    void redo() override
    {
        m_document.goTo(m_path);
        m_change.apply(m_document.m_graph);
        m_document.redraw(m_change.changesDrawing());
    }
    void undo() override
    {
        m_document.goTo(m_path);
        m_change.revert(m_document.m_graph);
        m_document.redraw(m_change.changesDrawing());
    }
    [[nodiscard]] int id() const override { return m_mergeKey.isEmpty() ? -1 : 1; }
    bool mergeWith(const QUndoCommand* other) override
    {
        const auto* next = dynamic_cast<const Step*>(other);
        if (!next || next->m_mergeKey != m_mergeKey || next->m_path != m_path)
            return false;
        graph::Graph before = m_document.m_graph; // the other step is done already
        next->m_change.revert(before);
        m_change.revert(before);
        m_change = GraphChange(before, m_document.m_graph);
        setObsolete(m_change.isEmpty());
        return true;
    }

private:
    GraphDocument& m_document;
    std::vector<NodeId> m_path; // of the subgraph that it changes
    GraphChange m_change;
    QString m_mergeKey;
};

GraphDocument::GraphDocument(QObject* parent)
    : QObject(parent)
{
}

void GraphDocument::setGraph(const graph::Graph& graph)
{
    m_steps.clear();
    m_graph = graph;
    m_around.clear();
    const std::vector<NodeId> path = std::exchange(m_path, {});
    enter(path);
    showAnew();
    if (m_path != path)
        Q_EMIT pathChanged();
}

void GraphDocument::showAnew()
{
    draw();
    place();
    Q_EMIT graphReset();
}

bool GraphDocument::isOpen(const NodeId& node) const
{
    std::vector<NodeId> path = m_path;
    path.push_back(node);
    return m_open.contains(path);
}

void GraphDocument::setOpen(const NodeId& node, bool isOpen)
{
    std::vector<NodeId> path = m_path;
    path.push_back(node);
    const bool isOther = isOpen ? m_open.insert(path).second : m_open.erase(path) > 0;
    if (isOther)
        redraw(true);
}

std::shared_ptr<const graph::Graph> GraphDocument::insideOf(const DrawnNode& node) const
{
    const graph::Node* inGraph = node.isOpen() ? m_graph.findNode(node.id) : nullptr;
    return inGraph != nullptr ? inGraph->subgraph : nullptr;
}

void GraphDocument::draw()
{
    m_drawing = drawingOf(m_graph, m_editable ? Terminals::Both : Terminals::Touched);
    if (m_open.empty())
        return;
    for (DrawnNode& drawn : m_drawing.nodes)
        if (const graph::Node* node = isOpen(drawn.id) ? m_graph.findNode(drawn.id) : nullptr;
            node != nullptr && node->subgraph) {
            const QSizeF size = openSize(*node->subgraph);
            drawn.openWidth = size.width();
            drawn.openHeight = size.height();
        }
}

void GraphDocument::enter(const std::vector<NodeId>& path)
{
    for (std::size_t i = m_path.size(); i < path.size(); ++i) {
        const graph::Node* node = m_graph.findNode(path[i]);
        if (!node || !node->subgraph)
            return;
        graph::Graph inner = *node->subgraph;
        m_around.push_back(std::exchange(m_graph, std::move(inner)));
        m_path.push_back(path[i]);
    }
}

void GraphDocument::leave()
{
    graph::Graph around = std::move(m_around.back());
    m_around.pop_back();
    if (graph::Node* node = nodeIn(around, m_path.back()))
        node->subgraph = std::make_shared<const graph::Graph>(std::move(m_graph));
    m_graph = std::move(around);
    m_path.pop_back();
}

void GraphDocument::goTo(const std::vector<NodeId>& path)
{
    const std::vector<NodeId> before = m_path;
    const auto isOnTheWay = [&] {
        return m_path.size() <= path.size() && std::equal(m_path.begin(), m_path.end(), path.begin());
    };
    while (!isOnTheWay())
        leave();
    enter(path);
    if (m_path == before)
        return;
    showAnew();
    Q_EMIT pathChanged();
}

graph::Graph GraphDocument::whole() const
{
    graph::Graph shown = m_graph;
    for (std::size_t i = m_around.size(); i-- > 0;) {
        graph::Graph around = m_around[i];
        if (graph::Node* node = nodeIn(around, m_path[i]))
            node->subgraph = std::make_shared<const graph::Graph>(std::move(shown));
        shown = std::move(around);
    }
    return shown;
}

void GraphDocument::setEditable(bool editable)
{
    m_editable = editable;
}

bool GraphDocument::edit(const QString& title, const Change& change, const QString& mergeKey)
{
    if (!m_editable)
        return false;
    graph::Graph after = m_graph;
    change(after);
    GraphChange difference(m_graph, after);
    if (difference.isEmpty())
        return false;
    m_steps.push(new Step(*this, title, std::move(difference), mergeKey));
    return true;
}

bool GraphDocument::editPlaced(const QString& title, const Change& change, const QString& mergeKey)
{
    std::unordered_set<NodeId> placed;
    for (const auto& [id, place] : m_graph.layout)
        placed.insert(id);
    std::vector<std::pair<NodeId, graph::Position>> shown; // nodes that the file does not place
    for (std::size_t i = 0; i < m_drawing.nodes.size(); ++i)
        // Terminals get no place: they follow the nodes that they are linked to until somebody moves them.
        if (const auto& [id, kind] = std::tie(m_drawing.nodes[i].id, m_drawing.nodes[i].kind);
            kind == DrawnNode::Kind::Card && !placed.contains(id))
            shown.emplace_back(id,
                               graph::Position{ std::round(m_places[i].x()), std::round(m_places[i].y()) });
    if (shown.empty())
        return edit(title, change, mergeKey);
    graph::Graph after = m_graph;
    change(after);
    if (GraphChange(m_graph, after).isEmpty())
        return false; // places alone are no step
    return edit(
        title,
        [&](graph::Graph& graph) {
            graph.layout.insert(graph.layout.end(), shown.begin(), shown.end());
            change(graph);
        },
        mergeKey);
}

void GraphDocument::redraw(bool otherParts)
{
    if (otherParts)
        draw();
    place();
    Q_EMIT graphEdited();
}

void GraphDocument::place()
{
    m_places.clear();
    m_bends.clear();
    Places places = placesOf(m_graph, m_drawing);
    const auto isCard = [&](std::size_t i) { return m_drawing.nodes[i].kind == DrawnNode::Kind::Card; };
    bool anyWritten = false;
    for (std::size_t i = 0; i < places.size(); ++i)
        anyWritten = anyWritten || (isCard(i) && places[i]);
    if (anyWritten) {
        placeTerminals(m_drawing, places);
        placeRest(places);
        for (const auto& place : places)
            m_places.push_back(place.value_or(QPointF()));
    } else {
        if (!hasSameShape(m_laidOut, m_drawing))
            layOutAnew();
        m_places = m_foundCentres;
        m_bends = m_foundBends;
    }
    makeRoom();
}

void GraphDocument::makeRoom()
{
    m_room = {};
    for (std::size_t i = 0; i < m_drawing.nodes.size(); ++i)
        if (const DrawnNode& node = m_drawing.nodes[i]; node.isOpen())
            m_room.add(m_places[i], node.width(), node.height());
    m_centres = m_places;
    if (m_room.isEmpty())
        return;
    m_bends.clear(); // they led past the cards where those were
    for (QPointF& centre : m_centres)
        centre = m_room.shown(centre);
}

void GraphDocument::layOutAnew()
{
    m_laidOut = withoutInsides(m_drawing); // their room is made afterwards, as between written places
    m_foundCentres.clear();
    m_foundBends.clear();
    const DrawingLayout result = layOut(m_laidOut);
    for (const LayoutPoint& point : result.centres)
        m_foundCentres.emplace_back(point.x, point.y);
    for (const auto& bends : result.bends) {
        auto& points = m_foundBends.emplace_back();
        for (const LayoutPoint& point : bends)
            points.emplace_back(point.x, point.y);
    }
}

QSizeF openSize(const graph::Graph& inner)
{
    constexpr QSizeF kAround(2 * kOpenMargin, 2 * kOpenMargin + kOpenHead);
    constexpr QSizeF kMost(1400, 900);
    constexpr double kLeastWidth = 240;
    GraphDocument document;
    document.setGraph(inner);
    const GraphDrawing& drawing = document.drawing();
    QRectF bounds = routeEdges({ drawing, document.centres(), document.bends(), labelPillWidth }).bounds();
    for (std::size_t i = 0; i < drawing.nodes.size(); ++i)
        bounds |= nodeRect(drawing.nodes[i], document.centres()[i]);
    QSizeF size = bounds.size().expandedTo(QSizeF(kCardWidth, kCardHeight));
    if (size.width() > kMost.width() || size.height() > kMost.height())
        size.scale(kMost, Qt::KeepAspectRatio);
    return (size + kAround).expandedTo(QSizeF(kLeastWidth, 0));
}

QString labelPillText(const std::string& label)
{
    return QFontMetricsF(pillFont()).elidedText(QString::fromStdString(label), Qt::ElideRight, kWidestLabel);
}

double labelPillWidth(const std::string& label)
{
    return std::ceil(QFontMetricsF(pillFont()).horizontalAdvance(labelPillText(label))) + 14;
}

} // namespace sg::ui
