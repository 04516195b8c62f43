#pragma once

#include <QAbstractScrollArea>
#include <QImage>

#include <vector>

namespace sg::ui {

// A picture, fitted into the view; never enlarged by fitting. +, −, 1 and 0 zoom (1: true size, 0: fit), as
// do Ctrl+wheel and a double click; what does not fit is dragged.
class ImageView : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit ImageView(QWidget* parent = nullptr);

    // `halves`: each of half the width of the one before; without them a large picture loses lines where it
    // is shown small. False: there is none.
    bool setPicture(const QImage& image, const std::vector<QImage>& halves = {});
    void clear();
    [[nodiscard]] const QImage& picture() const { return m_picture; }
    [[nodiscard]] double zoom() const; // 1: true size
    void setZoom(double zoom); // 0: fitted
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

    [[nodiscard]] const QImage& pictureOf(int width) const; // the smallest that is at least so wide

    QImage m_picture;
    std::vector<QImage> m_halves;
    double m_zoom = 0; // 0: fitted
    QPoint m_grip;
};

} // namespace sg::ui
