#pragma once

#include <QPixmap>
#include <QTimer>
#include <QWidget>

namespace sg::ui {

class GraphView;

// The whole graph as blocks in their states' colours, with the part in sight framed. Press or drag moves
// there.
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
    QPixmap m_cards; // null: to be drawn
    QTimer m_soon;
};

} // namespace sg::ui
