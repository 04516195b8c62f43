#pragma once

#include "core/base/ids.h"
#include "ui/graph/scene/overview_painter.h"

#include <QGraphicsView>

namespace sg::ui {

class CanvasEditor;
class GraphDocument;
class GraphScene;
class MiniMap;
class ZoomControl;

// The canvas: pan (middle button, space or left button on the ground, wheel), zoom (Ctrl+wheel, + − 0 1 2),
// the current node by click or arrow keys. Single letters and signs act only while it has the focus.
class GraphView : public QGraphicsView {
    Q_OBJECT
public:
    explicit GraphView(GraphScene& scene, QWidget* parent = nullptr);

    [[nodiscard]] GraphScene& graphScene() const { return m_scene; }
    // From now on pointer and keys change the document that the scene shows.
    CanvasEditor& makeEditable(GraphDocument& document);
    [[nodiscard]] CanvasEditor* editor() const { return m_editor; } // null: the view only shows
    [[nodiscard]] double zoom() const; // 1 = 100 %
    void setZoom(double zoom); // around the middle
    void zoomIn();
    void zoomOut();
    void fitAll(); // at most 100 %
    void fitSelection();
    void reveal(const NodeId& id); // scrolls only where the node is not in sight
    void revealNote(std::size_t index);
    [[nodiscard]] QRectF visibleRect() const; // in the scene
    [[nodiscard]] QRect nodeRectOnScreen(std::size_t index) const;
    void activateCurrent();

    void setViewingPast(bool viewing); // the accent frame
    void setPlain(bool plain); // no mini-map; items at every zoom, with what others laid over them
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
    void fit(const QRectF& rect);
    void zoomAround(double zoom, const QPointF& viewportPoint);
    void paintFrame();
    bool handleZoomKey(QKeyEvent* event);
    bool handleArrow(QKeyEvent* event);
    void selectAlso(const NodeId& node);
    void selectAt(const QPoint& viewportPoint);
    [[nodiscard]] double baseScale() const; // of 100 %: larger where the user's text is
    void updateCursor();

    GraphScene& m_scene;
    OverviewPainter m_overview;
    ZoomControl* m_zoomControl;
    MiniMap* m_miniMap;
    CanvasEditor* m_editor = nullptr;
    QPoint m_panFrom;
    bool m_panning = false;
    bool m_spaceHeld = false;
    bool m_viewingPast = false;
    bool m_plain = false;
    bool m_fitted = true; // nobody has moved the view since it was fitted: fit again on a resize
};

} // namespace sg::ui
