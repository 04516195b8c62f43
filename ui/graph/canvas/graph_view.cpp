#include "ui/graph/canvas/graph_view.h"

#include "ui/graph/access/graph_accessible.h"
#include "ui/graph/canvas/mini_map.h"
#include "ui/graph/canvas/zoom_control.h"
#include "ui/graph/scene/graph_scene.h"
#include "ui/graph/scene/node_item.h"
#include "ui/graph/scene/note_item.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"

#include <QApplication>
#include <QFontInfo>
#include <QPainter>
#include <QResizeEvent>
#include <QScrollBar>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace sg::ui {

namespace {

constexpr double kLeastZoom = 0.02;
constexpr double kMostZoom = 4;
constexpr double kZoomStep = 1.25;
constexpr double kFitMargin = 24;
constexpr double kRevealMargin = 40;
constexpr double kOpeningZoom = 0.8; // names and states can be read
constexpr double kLeastOpeningFit = 0.7; // a graph that fits at this zoom is shown whole
constexpr double kLeastFitMargin = 6; // above the row of the zoom control
constexpr double kLeastOfFit = 0.7; // of the zoom that fits, so that the control covers nothing
constexpr int kOverlayMargin = 12;
constexpr int kMiniMapFrom = 760; // the mini-map is shown from this width of the view on
constexpr double kGridStep = 20;

// A zoom close to 100 % becomes exactly 100 %.
double stepped(double zoom)
{
    return std::abs(zoom - 1) < 0.04 ? 1 : zoom;
}

} // namespace

GraphView::GraphView(GraphScene& scene, QWidget* parent)
    : QGraphicsView(&scene, parent)
    , m_scene(scene)
    , m_picture(scene)
    , m_zoomControl(new ZoomControl(this))
    , m_miniMap(new MiniMap(*this))
{
    installGraphAccessibility();
    setObjectName(QStringLiteral("graphView"));
    setAccessibleName(tr("Graph canvas"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setTransformationAnchor(QGraphicsView::NoAnchor);
    setResizeAnchor(QGraphicsView::NoAnchor);
    setOptimizationFlag(QGraphicsView::DontSavePainterState);
    setViewportUpdateMode(QGraphicsView::SmartViewportUpdate);
    setTransform(QTransform::fromScale(baseScale(), baseScale()));
    connect(&m_scene, &GraphScene::rebuilt, this, &GraphView::onRebuilt);
    connect(&m_scene, &GraphScene::edited, this, &GraphView::onRebuilt);
    connect(&m_scene.document(), &GraphDocument::graphReset, this, &GraphView::onReset); // after the scene
    connect(&m_scene, &GraphScene::currentNodeChanged, this, [this] { viewport()->update(); });
    connect(&m_scene, &GraphScene::nodeStateChanged, this, [this] { m_overview.forgetNames(); });
    connect(&m_scene, &GraphScene::selectedNodesChanged, this, [this] { m_overview.forgetNames(); });
    connect(m_zoomControl, &ZoomControl::zoomInRequested, this, &GraphView::zoomIn);
    connect(m_zoomControl, &ZoomControl::zoomOutRequested, this, &GraphView::zoomOut);
    connect(m_zoomControl, &ZoomControl::resetRequested, this, [this] { setZoom(1); });
    connect(m_zoomControl, &ZoomControl::fitRequested, this, &GraphView::fitAll);
    connect(m_zoomControl, &ZoomControl::pictureRequested, this, [this] { m_picture.copy(); });
    connect(m_zoomControl, &ZoomControl::pictureDragged, this, [this] { m_picture.drag(*m_zoomControl); });
    connect(this, &GraphView::zoomChanged, m_zoomControl, &ZoomControl::setZoom);
    updateRoom();
}

double GraphView::baseScale() const
{
    // Steps of a quarter keep lines crisp.
    return std::max(1.0, std::round(QFontInfo(QApplication::font()).pixelSize() / 13.0 * 4) / 4);
}

double GraphView::zoom() const
{
    return transform().m11() / baseScale();
}

void GraphView::setZoom(double zoom)
{
    zoomAround(zoom, QRectF(viewport()->rect()).center());
}

void GraphView::zoomIn()
{
    setZoom(stepped(zoom() * kZoomStep));
}

void GraphView::zoomOut()
{
    setZoom(stepped(zoom() / kZoomStep));
}

void GraphView::zoomAround(double wanted, const QPointF& point)
{
    const double scale = std::clamp(wanted, kLeastZoom, kMostZoom) * baseScale();
    const QPointF before = mapToScene(point.toPoint());
    setTransform(QTransform::fromScale(scale, scale));
    updateRoom();
    const QPointF moved = transform().map(before) - transform().map(mapToScene(point.toPoint()));
    horizontalScrollBar()->setValue(horizontalScrollBar()->value()
                                    + static_cast<int>(std::lround(moved.x())));
    verticalScrollBar()->setValue(verticalScrollBar()->value() + static_cast<int>(std::lround(moved.y())));
    m_standing = Standing::Free;
    keepMiddle();
    Q_EMIT zoomChanged(zoom());
    Q_EMIT visibleRectChanged();
    viewport()->update();
}

double GraphView::fittingScale(const QRectF& rect) const
{
    const QSizeF room = QSizeF(openPart().size()) - QSizeF(2 * kFitMargin, 2 * kFitMargin);
    return std::min({ room.width() / rect.width(), room.height() / rect.height(), baseScale() });
}

void GraphView::fit(const QRectF& rect)
{
    if (rect.isEmpty())
        return;
    const double whole = fittingScale(rect);
    zoomAround(whole / baseScale(), QRectF(viewport()->rect()).center());
    centreOpenPart(rect.center());
    // A node under the zoom control or the map could not be read: their rows are left out.
    QRect above = openPart();
    above.setBottom(topOfCovering());
    const double less = std::min(whole, (above.height() - 2 * kLeastFitMargin) / rect.height());
    if (above != openPart() && less >= whole * kLeastOfFit) {
        zoomAround(less / baseScale(), QRectF(viewport()->rect()).center());
        const QPointF aside = QRectF(above).center() - QRectF(viewport()->rect()).center();
        centerOn(rect.center() - aside / transform().m11());
        keepMiddle();
    }
    freeZoomControl();
    Q_EMIT visibleRectChanged();
}

bool GraphView::hidesNode(const QRect& place) const
{
    return std::ranges::any_of(m_scene.nodes(), [&](const NodeItem* node) {
        return mapFromScene(node->card()).boundingRect().intersects(place);
    });
}

// The top of what lies on the lower edge of the view and covers a node; else the lower edge.
int GraphView::topOfCovering() const
{
    int top = viewport()->rect().bottom();
    const QRect control = placeOf(Qt::BottomRightCorner);
    if (!m_zoomControl->isHidden() && hidesNode(control))
        top = std::min(top, control.top());
    if (!m_miniMap->isHidden() && hidesNode(m_miniMap->geometry()))
        top = std::min(top, m_miniMap->y());
    return top;
}

// A message may be larger than a small canvas: at least half of that is used nevertheless.
QRect GraphView::openPart() const
{
    return viewport()->rect().adjusted(0, std::min(m_covered, viewport()->height() / 2), 0, 0);
}

QRectF GraphView::openRect() const
{
    return mapToScene(openPart()).boundingRect();
}

void GraphView::centreOpenPart(const QPointF& scenePoint)
{
    centerOn(scenePoint - QPointF(0, openPart().top() / 2.0 / transform().m11()));
}

// Scrolls as little as brings it there, with some room around it if there is any.
void GraphView::scrollIntoOpenPart(const QRectF& card)
{
    const QRectF open = openRect();
    const auto way = [this](double from, double to, double openFrom, double openTo) {
        const double room = std::max(0.0, ((openTo - openFrom) - (to - from)) / 2);
        const double margin = std::min(kRevealMargin / transform().m11(), room);
        return from < openFrom + margin ? from - openFrom - margin
            : to > openTo - margin      ? to - openTo + margin
                                        : 0.0;
    };
    centerOn(visibleRect().center()
             + QPointF(way(card.left(), card.right(), open.left(), open.right()),
                       way(card.top(), card.bottom(), open.top(), open.bottom())));
}

void GraphView::setCovered(int pixels)
{
    if (pixels == m_covered)
        return; // the middle must not be taken anew within a resize
    const bool hidesMore = pixels > std::exchange(m_covered, pixels);
    keepMiddle(); // nothing moves, but the open part has another one
    if (m_standing == Standing::Free)
        placeOverlays();
    else
        freeZoomControl();
    if (!hidesMore || !isVisible() || m_standing == Standing::Free)
        return;
    const QRectF open = openRect();
    const QRectF seen = visibleRect();
    const bool isHidden = std::ranges::any_of(m_scene.nodes(), [&](const NodeItem* node) {
        return node->card().top() < open.top() && node->card().bottom() > seen.top();
    });
    if (isHidden && m_scene.currentNode().empty())
        showStanding();
    else if (isHidden)
        reveal(m_scene.currentNode());
    freeZoomControl();
}

void GraphView::fitAll()
{
    fit(m_scene.contentRect());
    m_standing = Standing::Fitted;
}

void GraphView::showWhatMatters()
{
    const QRectF content = m_scene.contentRect();
    if (content.isEmpty() || fittingScale(content) >= kLeastOpeningFit * baseScale()) {
        fit(content);
    } else {
        zoomAround(kOpeningZoom, QRectF(viewport()->rect()).center());
        centreOpenPart(openingCentre());
        freeZoomControl();
        Q_EMIT visibleRectChanged();
    }
    m_standing = Standing::Opened;
}

// The view does not look beyond the graph, as long as there is something of it to see instead.
QPointF GraphView::openingCentre() const
{
    constexpr StateKind kMatter[] = { StateKind::Failed, StateKind::Waiting, StateKind::Paused,
                                      StateKind::Running };
    const auto& nodes = m_scene.nodes();
    auto found = nodes.end();
    for (const StateKind kind : kMatter)
        if (found == nodes.end())
            found = std::ranges::find_if(nodes,
                                         [kind](const NodeItem* node) { return node->state().kind == kind; });
    const bool isEntry = found == nodes.end();
    if (isEntry && !nodes.empty())
        found = nodes.begin(); // Start, where it is drawn
    const QRectF content = m_scene.contentRect();
    const QSizeF half = openRect().size() / 2;
    const double margin = kFitMargin / transform().m11();
    QPointF centre = found == nodes.end() ? content.center() : (*found)->card().center();
    const auto within = [margin](double at, double reach, double from, double to) {
        from += reach - margin;
        to -= reach - margin;
        return from < to ? std::clamp(at, from, to) : (from + to) / 2;
    };
    if (isEntry && found != nodes.end()) // what follows is to the right
        centre.rx() += half.width() - (*found)->card().width() / 2 - margin;
    return { within(centre.x(), half.width(), content.left(), content.right()),
             within(centre.y(), half.height(), content.top(), content.bottom()) };
}

void GraphView::lookAgain()
{
    if (m_standing == Standing::Opened && m_scene.currentNode().empty() && isVisible())
        showWhatMatters();
}

void GraphView::showStanding()
{
    switch (m_standing) {
    case Standing::Free: centreOpenPart(m_middle); break;
    case Standing::Fitted: fitAll(); break;
    case Standing::Opened: showWhatMatters(); break;
    }
}

// Whole pixels are scrolled: a middle that was taken anew after each of many resizes would wander.
void GraphView::keepMiddle()
{
    if (!m_resizing)
        m_middle = openRect().center();
}

void GraphView::fitSelection()
{
    QRectF selected;
    for (const NodeItem* node : m_scene.nodes())
        if (node->isSelected())
            selected |= node->card();
    if (!selected.isEmpty())
        fit(selected.adjusted(-120, -80, 120, 80));
}

void GraphView::reveal(const NodeId& id)
{
    const NodeItem* node = m_scene.findNode(id);
    if (!node || openRect().adjusted(8, 8, -8, -8).contains(node->card()))
        return;
    scrollIntoOpenPart(node->card());
    m_standing = Standing::Free;
}

void GraphView::revealNote(std::size_t index)
{
    if (index >= m_scene.notes().size() || openRect().contains(m_scene.notes()[index]->rect()))
        return;
    scrollIntoOpenPart(m_scene.notes()[index]->rect());
    m_standing = Standing::Free;
}

QRectF GraphView::visibleRect() const
{
    return mapToScene(viewport()->rect()).boundingRect();
}

QRect GraphView::nodeRectOnScreen(std::size_t index) const
{
    const QRect inView = mapFromScene(m_scene.nodes()[index]->card()).boundingRect();
    return { viewport()->mapToGlobal(inView.topLeft()), inView.size() };
}

void GraphView::activateCurrent()
{
    if (!m_scene.currentNode().empty())
        Q_EMIT nodeActivated(QString::fromStdString(m_scene.currentNode().value));
}

void GraphView::setViewingPast(bool viewing)
{
    if (viewing == m_viewingPast)
        return;
    m_viewingPast = viewing;
    viewport()->update();
}

void GraphView::setPlain(bool plain)
{
    m_plain = plain;
    placeOverlays();
    viewport()->update();
}

void GraphView::onReset()
{
    m_overview.forgetNames();
    m_standing = Standing::Opened;
    if (isVisible())
        showWhatMatters();
}

void GraphView::onRebuilt()
{
    m_standing = Standing::Free; // from now on a resize does not show another part of the graph
    m_overview.forgetNames();
    updateRoom();
    placeOverlays();
}

// The scrollable area: the graph can be pushed to each edge of the view, but no further.
void GraphView::updateRoom()
{
    const QRectF content = m_scene.contentRect();
    const double scale = transform().m11();
    const double x = viewport()->width() / scale;
    const double y = viewport()->height() / scale;
    setSceneRect(content.adjusted(-x, -y, x, y));
}

void GraphView::placeOverlays()
{
    const bool mapFits = !m_plain && viewport()->width() >= kMiniMapFrom && !m_scene.nodes().empty();
    m_miniMap->setVisible(mapFits);
    if (mapFits) {
        const QSize size = m_miniMap->sizeHint();
        m_miniMap->setGeometry(viewport()->width() - kOverlayMargin - size.width(),
                               viewport()->height() - kOverlayMargin - size.height(), size.width(),
                               size.height());
    }
    m_zoomControl->setGeometry(placeOf(m_zoomCorner));
}

// Beside the map, where that is shown.
QRect GraphView::placeOf(Qt::Corner corner) const
{
    const QSize size = m_zoomControl->sizeHint();
    const bool isBelow = corner == Qt::BottomRightCorner || corner == Qt::BottomLeftCorner;
    const bool isLeft = corner == Qt::BottomLeftCorner || corner == Qt::TopLeftCorner;
    const int taken = isBelow && !m_miniMap->isHidden() ? m_miniMap->sizeHint().width() + 8 : 0;
    const int right = viewport()->width() - kOverlayMargin - taken - size.width();
    const int lower = viewport()->height() - kOverlayMargin - size.height();
    return { QPoint(isLeft ? kOverlayMargin : right, isBelow ? lower : openPart().top() + kOverlayMargin),
             size };
}

// A low canvas leaves no row free for it: then it stands in the first corner without a node, and stays there
// until the graph is shown anew.
void GraphView::freeZoomControl()
{
    constexpr Qt::Corner kCorners[] = { Qt::BottomRightCorner, Qt::BottomLeftCorner, Qt::TopRightCorner,
                                        Qt::TopLeftCorner };
    const auto* corner =
        std::ranges::find_if(kCorners, [this](Qt::Corner each) { return !hidesNode(placeOf(each)); });
    m_zoomCorner = corner == std::end(kCorners) ? Qt::BottomRightCorner : *corner;
    placeOverlays();
}

void GraphView::paintEvent(QPaintEvent* event)
{
    if (zoom() >= kOverviewBelow || m_plain) {
        QGraphicsView::paintEvent(event);
    } else {
        QPainter painter(viewport());
        painter.setClipRegion(event->region());
        painter.fillRect(event->rect(), color(&Tokens::canvas));
        m_overview.paint(painter, m_scene, viewportTransform(), event->rect());
    }
    if (m_viewingPast)
        paintFrame();
}

void GraphView::paintFrame()
{
    QPainter painter(viewport());
    painter.setPen(QPen(color(&Tokens::accent), 2));
    painter.drawRect(QRectF(viewport()->rect()).adjusted(1, 1, -1, -1));
}

void GraphView::drawBackground(QPainter* painter, const QRectF& rect)
{
    painter->fillRect(rect, color(&Tokens::canvas));
    const double scale = transform().m11();
    const double step = scale < 0.6 ? kGridStep * 2 : kGridStep;
    std::vector<QPointF> dots;
    for (double y = std::floor(rect.top() / step) * step + kGridStep / 2; y < rect.bottom(); y += step)
        for (double x = std::floor(rect.left() / step) * step + kGridStep / 2; x < rect.right(); x += step)
            dots.emplace_back(x, y);
    QPen pen(color(&Tokens::dot), 1.5 * std::min(1.5, std::max(1.0, scale)));
    pen.setCosmetic(true);
    painter->setRenderHint(QPainter::Antialiasing, false);
    painter->setPen(pen);
    painter->drawPoints(dots.data(), static_cast<int>(dots.size()));
}

void GraphView::resizeEvent(QResizeEvent* event)
{
    m_resizing = true;
    const QRect before(QPoint(0, m_covered), event->oldSize() - QSize(0, m_covered));
    const NodeItem* current = m_scene.findNode(m_scene.currentNode());
    const bool isInSight = current != nullptr && mapToScene(before).boundingRect().contains(current->card());
    QGraphicsView::resizeEvent(event);
    updateRoom();
    placeOverlays(); // what is fitted leaves them out
    showStanding();
    if (isInSight && m_standing == Standing::Free) // what is worked on stays in sight
        reveal(m_scene.currentNode());
    m_resizing = false;
    Q_EMIT visibleRectChanged();
}

void GraphView::showEvent(QShowEvent* event)
{
    QGraphicsView::showEvent(event);
    if (m_standing != Standing::Free)
        showStanding();
    placeOverlays();
}

void GraphView::scrollContentsBy(int dx, int dy)
{
    QGraphicsView::scrollContentsBy(dx, dy);
    keepMiddle();
    if (m_viewingPast)
        viewport()->update(); // the frame must not scroll with the content
    Q_EMIT visibleRectChanged();
}

void GraphView::changeEvent(QEvent* event)
{
    QGraphicsView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        m_overview.forgetPictures();
        m_overview.forgetNames();
        resetCachedContent();
        viewport()->update();
    } else if (event->type() == QEvent::FontChange) {
        m_overview.forgetNames();
        placeOverlays();
    }
}

} // namespace sg::ui
