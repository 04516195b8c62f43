#include "ui/graph/scene/overview_painter.h"

#include "ui/graph/kind_look.h"
#include "ui/graph/scene/edge_item.h"
#include "ui/graph/scene/graph_scene.h"
#include "ui/graph/scene/node_card.h"
#include "ui/graph/scene/node_item.h"
#include "ui/graph/scene/note_item.h"
#include "ui/graph/scene/overview_groups.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/palette.h"

#include <QLineF>
#include <QPaintDevice>
#include <QPainter>
#include <QPainterPath>

#include <array>
#include <cmath>

namespace sg::ui {

namespace {

constexpr double kMargin = 5; // space for the selection ring in a picture
constexpr double kNotchSmall = 5;
constexpr double kNotchTiny = 4;
constexpr double kFaint = 0.3; // opacity of nodes that the filter leaves out

void paintMiniBar(QPainter& painter, const QSizeF& size, StateKind kind, double border)
{
    QColor ink = color(stateToken(kind));
    if (kind == StateKind::Cached) {
        painter.setPen(ink);
        painter.drawLine(QPointF(4, 0.5), QPointF(4, size.height() - 0.5));
        return;
    }
    if (isQuiet(kind))
        ink.setAlphaF(0.55F);
    painter.fillRect(QRectF(border > 2 ? 1 : 0.5, 0.5, 4, size.height() - 1), ink);
}

// Between 35 and 15 % a node shows bar, border and glyph.
void paintMini(QPainter& painter, const QSizeF& size, StateKind kind, bool selected)
{
    const Tokens& t = tokens();
    const QRectF card(QPointF(0, 0), size);
    if (selected) {
        painter.setPen(QPen(QColor(t.accent), 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(card.adjusted(-3, -3, 3, 3), 5, 5);
    }
    const double border = kind == StateKind::Failed ? 2.5 : isLoud(kind) ? 2 : 1;
    QPen pen(QColor(kind == StateKind::Idle ? t.line : t.*stateToken(kind)), border);
    if (kind == StateKind::Queued)
        pen.setDashPattern({ 1, 2 });
    else if (kind == StateKind::Skipped)
        pen.setDashPattern({ 4, 2 });
    else if (kind == StateKind::Paused)
        pen.setDashPattern({ 3, 1 });
    const QPainterPath outline =
        cardOutline(card, border / 2, 3, kind == StateKind::Failed ? kNotchSmall : 0);
    painter.fillPath(outline, QColor(t.raised));
    if (kind != StateKind::Idle) {
        paintMiniBar(painter, size, kind, border);
        const double side = std::min(14.0, size.height() - 4);
        paintStateGlyph(painter, kind,
                        QRectF(card.center().x() + 2 - side / 2, card.center().y() - side / 2, side, side),
                        t.raised);
    }
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(outline);
}

// Below 15 % a node is a block; a cut at the top right means a failure, at the bottom right a question.
void paintBlock(QPainter& painter, const QSizeF& size, StateKind kind, bool selected)
{
    const Tokens& t = tokens();
    const QRectF card(QPointF(0, 0), size);
    if (selected) {
        painter.setPen(QPen(QColor(t.accent), 1.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(card.adjusted(-2, -2, 2, 2));
    }
    QColor ink = color(stateToken(kind));
    const double notch = std::min(kNotchTiny, size.height() / 2);
    if (kind == StateKind::Cached) {
        painter.setPen(ink);
        painter.setBrush(QColor(t.canvas));
        painter.drawRect(card.adjusted(0.5, 0.5, -0.5, -0.5));
        return;
    }
    if (isQuiet(kind))
        ink.setAlphaF(0.45F);
    QPolygonF shape(card);
    if (kind == StateKind::Failed)
        shape = QPolygonF({ card.topLeft(), card.topRight() - QPointF(notch, 0),
                            card.topRight() + QPointF(0, notch), card.bottomRight(), card.bottomLeft() });
    else if (kind == StateKind::Waiting || kind == StateKind::Paused)
        shape = QPolygonF({ card.topLeft(), card.topRight(), card.bottomRight() - QPointF(0, notch),
                            card.bottomRight() - QPointF(notch, 0), card.bottomLeft() });
    painter.setPen(Qt::NoPen);
    painter.setBrush(ink);
    painter.drawPolygon(shape);
}

void addLines(std::vector<QLineF>& lines, const QPainterPath& path, const QTransform& toView, int curveSteps)
{
    QPointF last;
    for (int i = 0; i < path.elementCount(); ++i) {
        const QPainterPath::Element& element = path.elementAt(i);
        const QPointF at = toView.map(QPointF(element.x, element.y));
        if (element.type == QPainterPath::CurveToElement && i + 2 < path.elementCount()) {
            const QPointF second = toView.map(QPointF(path.elementAt(i + 1)));
            const QPointF end = toView.map(QPointF(path.elementAt(i + 2)));
            const QPointF start = last;
            for (int step = 1; step <= curveSteps; ++step) {
                const double s = static_cast<double>(step) / curveSteps;
                const double r = 1 - s;
                const QPointF point =
                    start * (r * r * r) + at * (3 * r * r * s) + second * (3 * r * s * s) + end * (s * s * s);
                lines.emplace_back(last, point);
                last = point;
            }
            i += 2;
            continue;
        }
        if (element.type == QPainterPath::LineToElement)
            lines.emplace_back(last, at);
        last = at;
    }
}

// Their texts would be too small: only outlines are drawn.
void paintNotes(QPainter& painter, const GraphScene& scene, const QTransform& toView, const QRectF& visible)
{
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(color(&Tokens::border));
    painter.setBrush(color(&Tokens::alt));
    for (const NoteItem* note : scene.notes()) {
        const QRectF place = toView.mapRect(note->rect());
        if (!note->isFrame() && place.intersects(visible))
            painter.drawRect(place);
    }
}

void paintBars(QPainter& painter, const GraphScene& scene, const QTransform& toView, const QRectF& visible)
{
    for (const JoinRoute& join : scene.routes().joins) {
        QRectF bar = toView.mapRect(join.bar);
        bar.setWidth(std::max(2.0, bar.width()));
        if (bar.intersects(visible))
            painter.fillRect(bar, color(&Tokens::line));
    }
}

// Before any run, cards show the icons of their kinds.
void paintKinds(QPainter& painter, const GraphScene& scene, const QTransform& toView, const QRectF& visible)
{
    constexpr double kMost = 14;
    for (const NodeItem* node : scene.nodes()) {
        const QRectF place = toView.mapRect(node->card());
        if (node->node().kind != DrawnNode::Kind::Card || node->state().kind != StateKind::Idle
            || !place.intersects(visible))
            continue;
        const double side = std::floor(std::min(kMost, place.height() - 4));
        const QPointF corner(std::round(place.center().x() - side / 2),
                             std::round(place.center().y() - side / 2));
        paintIcon(painter, iconOfKind(node->node().nodeKind), QRectF(corner, QSizeF(side, side)),
                  color(&Tokens::text2));
    }
}

} // namespace

void OverviewPainter::forgetPictures()
{
    m_pictures.clear();
}

const QPixmap& OverviewPainter::picture(const Key& key, double zoom, const QSizeF& size, double pixelRatio)
{
    if (zoom != m_zoom || size != m_box || pixelRatio != m_pixelRatio) {
        m_pictures.clear();
        m_zoom = zoom;
        m_box = size;
        m_pixelRatio = pixelRatio;
    }
    QPixmap& picture = m_pictures[key];
    if (!picture.isNull())
        return picture;
    picture = QPixmap(((size + QSizeF(2 * kMargin, 2 * kMargin)) * pixelRatio).toSize() + QSize(1, 1));
    picture.setDevicePixelRatio(pixelRatio);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(kMargin, kMargin);
    const auto kind = static_cast<StateKind>(key.first);
    if (zoom < kBlocksBelow)
        paintBlock(painter, size, kind, key.second);
    else
        paintMini(painter, size, kind, key.second);
    return picture;
}

void OverviewPainter::paint(QPainter& painter, const GraphScene& scene, const QTransform& toView,
                            const QRect& exposed)
{
    const double zoom = toView.m11();
    const QRectF visible = QRectF(exposed).adjusted(-20, -20, 20, 20);

    const bool named = zoom >= kBlocksBelow;
    if (named && !m_names.isLaidOutFor(zoom))
        m_names.layOut(scene, zoom);
    const QSizeF box =
        named ? m_names.box() : QSizeF(std::max(3.0, kCardWidth * zoom), std::max(2.0, kCardHeight * zoom));
    paintNotes(painter, scene, toView, visible);
    for (const OverviewGroup& group : overviewGroups(scene, toView, box, visible))
        paintGroup(painter, group);
    constexpr std::array kLooks = { EdgeLook::NotTaken, EdgeLook::Idle, EdgeLook::Taken };
    std::array<std::vector<QLineF>, kLooks.size()> lines;
    const int curveSteps = zoom < kBlocksBelow ? 2 : 6;
    const auto add = [&](const EdgeRoute& route, EdgeLook look) {
        if (toView.mapRect(route.path.controlPointRect()).adjusted(-1, -1, 1, 1).intersects(visible))
            addLines(lines[look == EdgeLook::NotTaken   ? 0
                               : look == EdgeLook::Idle ? 1
                                                        : 2],
                     route.path, toView, curveSteps);
    };
    for (const EdgeItem* edge : scene.edges())
        add(edge->route(), edge->look());
    for (const JoinRoute& join : scene.routes().joins)
        add(join.exit, EdgeLook::Idle);
    painter.setRenderHint(QPainter::Antialiasing, zoom >= kBlocksBelow || scene.edges().size() < 500);
    for (std::size_t i = 0; i < kLooks.size(); ++i) {
        painter.setPen(QPen(edgeInk(kLooks[i]), 1));
        painter.drawLines(lines[i].data(), static_cast<int>(lines[i].size()));
    }

    paintBars(painter, scene, toView, visible);

    paintNodes(painter, scene, toView, box, visible);
    if (named) {
        paintKinds(painter, scene, toView, visible);
        m_names.paint(painter, scene, toView, visible);
    }
}

void OverviewPainter::paintNodes(QPainter& painter, const GraphScene& scene, const QTransform& toView,
                                 const QSizeF& box, const QRectF& visible)
{
    const double zoom = toView.m11();
    const double pixelRatio = painter.device()->devicePixelRatioF();
    std::map<Key, std::vector<QPainter::PixmapFragment>> stamps;
    painter.setRenderHint(QPainter::Antialiasing);
    for (const NodeItem* node : scene.nodes()) {
        const QPointF middle = toView.map(node->card().center());
        if (node->node().kind != DrawnNode::Kind::Card) {
            const QRectF place = toView.mapRect(node->card());
            painter.setPen(color(node->isSelected() ? &Tokens::accent : &Tokens::line));
            painter.setBrush(color(&Tokens::canvas));
            if (place.adjusted(-6, -6, 6, 6).intersects(visible))
                painter.drawRoundedRect(place, place.height() / 2, place.height() / 2);
            continue;
        }
        const QRectF place(middle - QPointF(box.width(), box.height()) / 2, box);
        if (!place.adjusted(-6, -6, 6, 6).intersects(visible))
            continue;
        const Key key{ static_cast<int>(node->state().kind), node->isSelected() };
        const QSizeF size = QSizeF(picture(key, zoom, box, pixelRatio).size());
        // The corner must be on a whole pixel, or the picture would be blurred.
        const QPointF corner(std::round((place.left() - kMargin) * pixelRatio) / pixelRatio,
                             std::round((place.top() - kMargin) * pixelRatio) / pixelRatio);
        const QPointF centre = corner + QPointF(size.width(), size.height()) / (2 * pixelRatio);
        stamps[key].push_back(QPainter::PixmapFragment::create(centre, QRectF(QPointF(0, 0), size),
                                                               1 / pixelRatio, 1 / pixelRatio, 0,
                                                               scene.isKept(*node) ? 1 : kFaint));
    }
    for (const auto& [key, fragments] : stamps)
        painter.drawPixmapFragments(fragments.data(), static_cast<int>(fragments.size()),
                                    picture(key, zoom, box, pixelRatio));
}

} // namespace sg::ui
