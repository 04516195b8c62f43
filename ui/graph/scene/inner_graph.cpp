#include "ui/graph/scene/inner_graph.h"

#include "ui/graph/scene/node_item.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/state_look.h"

#include <QApplication>
#include <QFontMetricsF>
#include <QPainter>

namespace sg::ui {
namespace {

constexpr double kFrameRadius = 6;

QFont headFont(QFont::Weight weight)
{
    QFont font = QApplication::font(); // in scene units, as those of the cards
    font.setPixelSize(weight == QFont::Normal ? 11 : 13);
    font.setWeight(weight);
    return font;
}

} // namespace

InnerGraph::InnerGraph(std::shared_ptr<const graph::Graph> graph, const std::function<void()>& changed)
    : m_graph(std::move(graph))
    , m_scene(m_document)
{
    m_document.setGraph(*m_graph);
    QObject::connect(&m_scene, &QGraphicsScene::changed, &m_scene, changed);
}

void InnerGraph::setStates(const NodeStates& nodes, const EdgeStates& edges)
{
    m_scene.setNodeStates(nodes);
    m_scene.setEdgeStates(edges);
}

std::map<StateKind, int> InnerGraph::counts() const
{
    std::map<StateKind, int> counts;
    for (const NodeItem* node : m_scene.nodes())
        if (node->node().kind == DrawnNode::Kind::Card && node->state().kind != StateKind::Idle)
            ++counts[node->state().kind];
    return counts;
}

QStringList InnerGraph::spoken() const
{
    QStringList words;
    for (const NodeItem* node : m_scene.nodes())
        if (node->node().kind == DrawnNode::Kind::Card)
            words << (node->state().kind == StateKind::Idle
                          ? node->title()
                          : node->title() + QStringLiteral(", ") + stateWord(node->state().kind).toLower());
    return words;
}

void InnerGraph::paint(QPainter& painter, const QRectF& place)
{
    const QRectF content = m_scene.contentRect();
    if (content.isEmpty())
        return;
    const double scale =
        std::min({ 1.0, place.width() / content.width(), place.height() / content.height() });
    QRectF target(QPointF(0, 0), content.size() * scale);
    target.moveCenter(place.center());
    m_scene.render(&painter, target, content);
}

void paintOpenNode(QPainter& painter, const QRectF& rect, const QString& title, const NodeState& state,
                   const QString& secondLine, bool isSelected)
{
    const Tokens& t = tokens();
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    if (isSelected) {
        painter.setPen(QPen(QColor(t.accent), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(rect.adjusted(-4, -4, 4, 4), kFrameRadius + 3, kFrameRadius + 3);
    }
    const bool isIdle = state.kind == StateKind::Idle;
    painter.setPen(
        QPen(isIdle ? QColor(t.line) : QColor(t.*stateToken(state.kind)), isLoud(state.kind) ? 2 : 1));
    painter.setBrush(QColor(t.alt));
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), kFrameRadius, kFrameRadius);
    painter.setPen(QColor(t.border));
    painter.drawLine(QPointF(rect.left() + 1, rect.top() + kOpenHead),
                     QPointF(rect.right() - 1, rect.top() + kOpenHead));
    const QRectF glyph(rect.left() + 12, rect.top() + kOpenHead / 2 - 9, 18, 18);
    if (isIdle)
        paintIcon(painter, QLatin1String("subgraph"), glyph, QColor(t.text2));
    else
        paintStateGlyph(painter, state.kind, glyph, t.alt);
    const QFont bold = headFont(QFont::DemiBold);
    painter.setFont(bold);
    painter.setPen(QColor(t.text));
    QRectF words = rect.adjusted(40, 0, -12, 0);
    words.setHeight(kOpenHead);
    const QFontMetricsF metrics(bold);
    const QString shown = metrics.elidedText(title, Qt::ElideRight, words.width());
    painter.drawText(words, Qt::AlignVCenter, shown);
    words.setLeft(words.left() + metrics.horizontalAdvance(shown) + 12);
    painter.setFont(headFont(QFont::Normal));
    painter.setPen(isIdle ? QColor(t.muted) : QColor(t.*stateToken(state.kind)));
    if (words.width() > 24)
        painter.drawText(words, Qt::AlignVCenter,
                         QFontMetricsF(painter.font()).elidedText(secondLine, Qt::ElideRight, words.width()));
    painter.restore();
}

} // namespace sg::ui
