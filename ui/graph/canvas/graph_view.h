#pragma once

#include "core/base/ids.h"
#include "ui/graph/canvas/canvas_picture.h"
#include "ui/graph/scene/overview_painter.h"

#include <QGraphicsView>

namespace sg::ui {

class CanvasEditor;
class GraphDocument;
class GraphScene;
class MiniMap;
class ZoomControl;

// The canvas. It pans (middle button, space or left button on empty ground, wheel), zooms (Ctrl+wheel, + − 0
// 1 2), and selects by click or arrow keys. Single-key shortcuts work only while it has the focus.
class GraphView : public QGraphicsView {
    Q_OBJECT
public:
    explicit GraphView(GraphScene& scene, QWidget* parent = nullptr);

    [[nodiscard]] GraphScene& graphScene() const { return m_scene; }
    // From then on pointer and keys change the document that the scene shows.
    CanvasEditor& makeEditable(GraphDocument& document);
    [[nodiscard]] CanvasEditor* editor() const { return m_editor; } // null if the view is read-only
    [[nodiscard]] CanvasPicture& picture() { return m_picture; } // of the whole graph
    [[nodiscard]] double zoom() const; // 1 = 100 %
    void setZoom(double zoom); // around the middle of the view
    void zoomIn();
    void zoomOut();
    void fitAll(); // at most 100 %
    // Shows the whole graph where it can be read then, else what matters at a size that can be read: a
    // failure, a question, what runs, or the entry. A resize shows it again, until the view is moved.
    void showWhatMatters();
    void lookAgain(); // the states are others: what matters may be elsewhere; nothing if the view was moved
    void fitSelection();
    void reveal(const NodeId& id); // scrolls only if the node is not fully visible
    void revealNote(std::size_t index);
    [[nodiscard]] QRectF visibleRect() const; // in scene coordinates
    [[nodiscard]] QRect nodeRectOnScreen(std::size_t index) const;
    void activateCurrent();

    [[nodiscard]] const OverviewNames& overviewNames() const { return m_overview.names(); }

    void setViewingPast(bool viewing); // draws a frame in the accent colour
    // A message lies over so many pixels of the upper edge: nothing is fitted into, or shown in, that part.
    // The graph moves only where a node would be hidden, and never once the view was moved by hand.
    void setCovered(int pixels);
    void setPlain(bool plain); // no mini-map, no overview: marks laid over items stay visible
    [[nodiscard]] QSize sizeHint() const override { return { 800, 400 }; }

Q_SIGNALS:
    void zoomChanged(double zoom);
    void visibleRectChanged();
    void nodeActivated(const QString& id); // Enter or double click

protected:
    bool event(QEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void drawBackground(QPainter* painter, const QRectF& rect) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void changeEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void onReset();
    void onRebuilt();
    void updateRoom();
    void placeOverlays();
    void freeZoomControl(); // puts it where it covers no node
    [[nodiscard]] QRect placeOf(Qt::Corner corner) const; // of the zoom control
    void fit(const QRectF& rect);
    [[nodiscard]] double fittingScale(const QRectF& rect) const;
    [[nodiscard]] QRect openPart() const; // of the viewport, below what covers it
    [[nodiscard]] QRectF openRect() const; // the same in scene coordinates
    [[nodiscard]] int topOfCovering() const;
    [[nodiscard]] bool hidesNode(const QRect& place) const; // whether one lies there
    void centreOpenPart(const QPointF& scenePoint);
    void scrollIntoOpenPart(const QRectF& card);
    [[nodiscard]] QPointF openingCentre() const;
    void showStanding();
    void keepMiddle();
    void zoomAround(double zoom, const QPointF& viewportPoint);
    void paintFrame();
    bool handleZoomKey(QKeyEvent* event);
    bool handleArrow(QKeyEvent* event);
    void selectAlso(const NodeId& node);
    void selectAt(const QPoint& viewportPoint);
    [[nodiscard]] double baseScale() const; // scale of 100 %; it grows with the user's text size
    void updateCursor();

    GraphScene& m_scene;
    OverviewPainter m_overview;
    CanvasPicture m_picture;
    ZoomControl* m_zoomControl;
    Qt::Corner m_zoomCorner = Qt::BottomRightCorner;
    MiniMap* m_miniMap;
    CanvasEditor* m_editor = nullptr;
    QPoint m_panFrom;
    bool m_panning = false;
    bool m_spaceHeld = false;
    bool m_viewingPast = false;
    bool m_plain = false;
    int m_covered = 0; // pixels of the upper edge
    enum class Standing { Free, Fitted, Opened };
    Standing m_standing = Standing::Opened; // how it stands until it is moved: a resize does it again
    QPointF m_middle; // of the scene in the open part; resizes keep it
    bool m_resizing = false;
};

} // namespace sg::ui
