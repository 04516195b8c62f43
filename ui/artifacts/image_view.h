#pragma once

#include <QAbstractScrollArea>
#include <QImage>

#include <vector>

namespace sg::ui {

// A picture that fits into the view without being enlarged. +, −, 1 and 0 zoom (1: true size, 0: fit), as do
// Ctrl+wheel and a double click; a larger picture is dragged.
class ImageView : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit ImageView(QWidget* parent = nullptr);

    // Each picture in `halves` has half the width of the one before; without them a large picture loses lines
    // when it is shown small. Returns false if the image is null.
    bool setPicture(const QImage& image, const std::vector<QImage>& halves = {});
    void clear();
    [[nodiscard]] const QImage& picture() const { return m_picture; }
    [[nodiscard]] double zoom() const; // 1 is true size
    void setZoom(double zoom); // 0 fits the view
    void zoomBy(double factor);

Q_SIGNALS:
    void zoomChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
    void updateScrollBars();
    [[nodiscard]] double fittingZoom() const;
    [[nodiscard]] QSizeF shownSize() const;

    [[nodiscard]] const QImage& pictureOf(int width) const; // the smallest one with at least this width

    QImage m_picture;
    std::vector<QImage> m_halves;
    double m_zoom = 0; // 0 fits the view
    QPoint m_grip;
};

} // namespace sg::ui
