#include "ui/artifacts/image_view.h"

#include "ui/widgets/palette.h"

#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace sg::ui {

namespace {

constexpr double kMargin = 12;
constexpr double kLargest = 8;
constexpr double kSmallest = 0.05;

} // namespace

ImageView::ImageView(QWidget* parent)
    : QAbstractScrollArea(parent)
{
    setObjectName(QStringLiteral("artifactImage"));
    setAccessibleName(tr("Preview of the image"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
}

bool ImageView::setPicture(const QImage& image, const std::vector<QImage>& halves)
{
    m_picture = image;
    m_halves = halves;
    m_zoom = 0;
    setAccessibleDescription(
        m_picture.isNull() ? QString() : tr("%1 × %2 pixels").arg(m_picture.width()).arg(m_picture.height()));
    updateScrollBars();
    Q_EMIT zoomChanged();
    return !m_picture.isNull();
}

void ImageView::clear()
{
    m_picture = {};
    m_halves.clear();
    updateScrollBars();
}

const QImage& ImageView::pictureOf(int width) const
{
    const QImage* fitting = &m_picture;
    for (const QImage& half : m_halves)
        if (half.width() >= width)
            fitting = &half;
    return *fitting;
}

double ImageView::fittingZoom() const
{
    if (m_picture.isNull())
        return 1;
    const QSizeF room = QSizeF(viewport()->size()) - QSizeF(2 * kMargin, 2 * kMargin);
    return std::clamp(std::min(room.width() / m_picture.width(), room.height() / m_picture.height()),
                      kSmallest, 1.0);
}

double ImageView::zoom() const
{
    return m_zoom > 0 ? m_zoom : fittingZoom();
}

void ImageView::setZoom(double zoom)
{
    m_zoom = zoom > 0 ? std::clamp(zoom, kSmallest, kLargest) : 0;
    updateScrollBars();
    Q_EMIT zoomChanged();
}

void ImageView::zoomBy(double factor)
{
    setZoom(zoom() * factor);
}

QSizeF ImageView::shownSize() const
{
    return QSizeF(m_picture.size()) * zoom();
}

void ImageView::updateScrollBars()
{
    const QSize over = (shownSize() + QSizeF(2 * kMargin, 2 * kMargin)).toSize() - viewport()->size();
    horizontalScrollBar()->setRange(0, m_zoom > 0 ? std::max(0, over.width()) : 0);
    verticalScrollBar()->setRange(0, m_zoom > 0 ? std::max(0, over.height()) : 0);
    horizontalScrollBar()->setPageStep(viewport()->width());
    verticalScrollBar()->setPageStep(viewport()->height());
    viewport()->update();
}

void ImageView::paintEvent(QPaintEvent*)
{
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), color(&Tokens::base));
    if (m_picture.isNull())
        return;
    const QSizeF size = shownSize();
    const auto start = [](double room, double extent, const QScrollBar* bar) {
        return bar->maximum() > 0 ? kMargin - bar->value() : std::round((room - extent) / 2);
    };
    const QRectF target(QPointF(start(viewport()->width(), size.width(), horizontalScrollBar()),
                                start(viewport()->height(), size.height(), verticalScrollBar())),
                        size);
    const QImage& fitting = pictureOf(static_cast<int>(size.width() * devicePixelRatioF()));
    painter.setRenderHint(QPainter::SmoothPixmapTransform, zoom() < 2);
    painter.drawImage(target, fitting);
    painter.setPen(color(&Tokens::border));
    painter.drawRect(target.adjusted(-0.5, -0.5, 0.5, 0.5));
}

void ImageView::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    updateScrollBars();
    Q_EMIT zoomChanged();
}

void ImageView::wheelEvent(QWheelEvent* event)
{
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        zoomBy(std::pow(1.2, event->angleDelta().y() / 120.0));
        event->accept();
        return;
    }
    QAbstractScrollArea::wheelEvent(event);
}

void ImageView::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal: zoomBy(1.25); break;
    case Qt::Key_Minus: zoomBy(0.8); break;
    case Qt::Key_0: setZoom(0); break;
    case Qt::Key_1: setZoom(1); break;
    default: QAbstractScrollArea::keyPressEvent(event);
    }
}

void ImageView::mousePressEvent(QMouseEvent* event)
{
    m_grip = event->pos();
}

void ImageView::mouseMoveEvent(QMouseEvent* event)
{
    if (!event->buttons().testFlag(Qt::LeftButton))
        return;
    const QPoint moved = event->pos() - m_grip;
    m_grip = event->pos();
    horizontalScrollBar()->setValue(horizontalScrollBar()->value() - moved.x());
    verticalScrollBar()->setValue(verticalScrollBar()->value() - moved.y());
}

void ImageView::mouseDoubleClickEvent(QMouseEvent*)
{
    setZoom(m_zoom > 0 ? 0 : 1);
}

} // namespace sg::ui
