#pragma once

#include <QPixmap>
#include <QTimer>
#include <QWidget>

namespace sg::ui {

class GraphView;

// The whole graph as blocks in the colours of their states; the visible part is framed. Press or drag moves
// the view there.
class MiniMap : public QWidget {
    Q_OBJECT
public:
    explicit MiniMap(GraphView& view);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    void drawAnew();
    void drawCards();

    [[nodiscard]] QTransform fromScene() const;
    void moveTo(const QPointF& place);

    GraphView& m_view;
    QPixmap m_cards; // null until it is drawn
    QTimer m_soon;
};

} // namespace sg::ui
