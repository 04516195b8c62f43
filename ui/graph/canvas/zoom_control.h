#pragma once

#include <QWidget>

class QToolButton;

namespace sg::ui {

// "− 100 % + | Fit | picture" in one frame, over the canvas.
class ZoomControl : public QWidget {
    Q_OBJECT
public:
    explicit ZoomControl(QWidget* parent);
    void setZoom(double zoom);

Q_SIGNALS:
    void zoomInRequested();
    void zoomOutRequested();
    void resetRequested();
    void fitRequested();
    void pictureDragged(); // out of the window
    void pictureRequested(); // on the clipboard

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QToolButton* addButton(const QString& text, const QString& name);
    QToolButton* dressed(QToolButton* button, const QString& text, const QString& name);
    QToolButton* addGrip();

    QToolButton* m_out;
    QToolButton* m_value;
    QToolButton* m_in;
    QToolButton* m_fit;
    QToolButton* m_grip;
};

} // namespace sg::ui
