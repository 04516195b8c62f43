#pragma once

#include <QAbstractScrollArea>
#include <QPixmap>

namespace sg::ui {

// A picture, fitted into the view; never enlarged by fitting. +, −, 1 and 0 zoom (1: true size, 0: fit), as
// do Ctrl+wheel and a double click; what does not fit is dragged.
class ImageView : public QAbstractScrollArea {
    Q_OBJECT
public:
    explicit ImageView(QWidget* parent = nullptr);

    // False: no format that is shown, or broken.
    bool setImage(const QByteArray& encoded);
    bool setPicture(const QImage& image); // false: there is none
    void clear();
    [[nodiscard]] const QPixmap& picture() const { return m_picture; }
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

    QPixmap m_picture;
    QPixmap m_shrunk; // at the shown size: a painter's own filter loses lines below one half
    double m_zoom = 0; // 0: fitted
    QPoint m_grip;
};

} // namespace sg::ui
