#include "ui/graph/canvas/mini_map.h"

#include "ui/graph/canvas/graph_view.h"
#include "ui/graph/scene/graph_scene.h"
#include "ui/graph/scene/node_item.h"
#include "ui/graph/scene/note_item.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/style_controls.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace sg::ui {

namespace {

constexpr int kWidth = 152;
constexpr int kLeastHeight = 56;
constexpr int kMostHeight = 96;
constexpr double kPadding = 8;
constexpr int kSoonMs = 80; // many changes come together, and the canvas is painted first

} // namespace

MiniMap::MiniMap(GraphView& view)
    : QWidget(&view)
    , m_view(view)
{
    setAccessibleName(tr("Overview of the graph"));
    setToolTip(tr("Press or drag to move the canvas"));
    setCursor(Qt::ArrowCursor);
    connect(&view, &GraphView::visibleRectChanged, this, qOverload<>(&QWidget::update));
    connect(&view.graphScene(), &GraphScene::rebuilt, this, &MiniMap::drawAnew);
    m_soon.setSingleShot(true);
    m_soon.setInterval(kSoonMs);
    connect(&m_soon, &QTimer::timeout, this, &MiniMap::drawAnew);
    const auto drawSoon = [this] {
        if (!m_soon.isActive())
            m_soon.start();
    };
    connect(&view.graphScene(), &GraphScene::edited, this, drawSoon);
    connect(&view.graphScene(), &GraphScene::nodeStateChanged, this, drawSoon);
}

void MiniMap::drawAnew()
{
    m_cards = {};
    update();
}

void MiniMap::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        drawAnew();
    QWidget::changeEvent(event);
}

// The cards are cached as a picture, because they do not change while the view moves over them.
void MiniMap::drawCards()
{
    m_cards = QPixmap(size() * devicePixelRatioF());
    m_cards.setDevicePixelRatio(devicePixelRatioF());
    m_cards.fill(Qt::transparent);
    QPainter painter(&m_cards);
    painter.setClipRect(rect().adjusted(2, 2, -2, -2));
    const QTransform transform = fromScene();
    painter.setPen(color(&Tokens::border));
    for (const NoteItem* note : m_view.graphScene().notes())
        painter.drawRect(transform.mapRect(note->rect()));
    for (const NodeItem* node : m_view.graphScene().nodes()) {
        if (node->node().kind != DrawnNode::Kind::Card)
            continue;
        QColor ink = color(stateToken(node->state().kind));
        if (isQuiet(node->state().kind))
            ink.setAlphaF(0.4F);
        QRectF block = transform.mapRect(node->card());
        block.setWidth(std::max(2.0, block.width()));
        block.setHeight(std::max(1.5, block.height()));
        painter.fillRect(block, ink);
    }
}

QSize MiniMap::sizeHint() const
{
    const QRectF content = m_view.graphScene().contentRect();
    const double scale = (kWidth - 2 * kPadding) / std::max(1.0, content.width());
    const int height = static_cast<int>(std::ceil(content.height() * scale + 2 * kPadding));
    return { kWidth, std::clamp(height, kLeastHeight, kMostHeight) };
}

QTransform MiniMap::fromScene() const
{
    const QRectF content = m_view.graphScene().contentRect();
    const QRectF room = QRectF(rect()).adjusted(kPadding, kPadding, -kPadding, -kPadding);
    const double scale = std::min(room.width() / std::max(1.0, content.width()),
                                  room.height() / std::max(1.0, content.height()));
    const QPointF corner = room.center() - content.center() * scale;
    return QTransform::fromTranslate(corner.x(), corner.y()).scale(scale, scale);
}

void MiniMap::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Tokens& t = tokens();
    paint::roundedFrame(painter, QRectF(rect()), t.base, t.border, 3);
    if (m_cards.size() != size() * devicePixelRatioF())
        drawCards();
    painter.drawPixmap(0, 0, m_cards);
    const QRectF limits = QRectF(rect()).adjusted(3.5, 3.5, -3.5, -3.5);
    QRectF seen = fromScene().mapRect(m_view.visibleRect());
    seen = QRectF(std::round(seen.left()) + 0.5, std::round(seen.top()) + 0.5, std::round(seen.width()),
                  std::round(seen.height()));
    painter.setPen(QColor(t.accent));
    painter.drawRect(seen.intersected(limits));
}

void MiniMap::mousePressEvent(QMouseEvent* event)
{
    moveTo(event->position());
}

void MiniMap::mouseMoveEvent(QMouseEvent* event)
{
    if (event->buttons().testFlag(Qt::LeftButton))
        moveTo(event->position());
}

void MiniMap::moveTo(const QPointF& place)
{
    m_view.centerOn(fromScene().inverted().map(place));
}

} // namespace sg::ui
