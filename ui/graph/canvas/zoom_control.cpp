#include "ui/graph/canvas/zoom_control.h"

#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/style.h"
#include "ui/widgets/style_controls.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QMouseEvent>
#include <QPainter>
#include <QToolButton>

#include <cmath>
#include <functional>
#include <utility>

namespace sg::ui {
namespace {

// A button that can be dragged, too.
class Grip final : public QToolButton {
public:
    Grip(QWidget* parent, std::function<void()> dragged)
        : QToolButton(parent)
        , m_dragged(std::move(dragged))
    {
    }

protected:
    void mousePressEvent(QMouseEvent* event) override
    {
        m_from = event->pos();
        QToolButton::mousePressEvent(event);
    }
    void mouseMoveEvent(QMouseEvent* event) override
    {
        if (!event->buttons().testFlag(Qt::LeftButton)
            || (event->pos() - m_from).manhattanLength() < QApplication::startDragDistance()) {
            QToolButton::mouseMoveEvent(event);
            return;
        }
        setDown(false); // the release after a drag is no click
        m_dragged();
    }

private:
    std::function<void()> m_dragged;
    QPoint m_from;
};

} // namespace

ZoomControl::ZoomControl(QWidget* parent)
    : QWidget(parent)
    , m_out(addButton({}, tr("Zoom out")))
    , m_value(addButton(QStringLiteral("100 %"), tr("Zoom to 100 %")))
    , m_in(addButton({}, tr("Zoom in")))
    , m_fit(addButton(tr("Fit"), tr("Show the whole graph")))
    , m_grip(addGrip())
{
    setAccessibleName(tr("Zoom"));
    m_out->setIcon(icon(QLatin1String("minus")));
    m_in->setIcon(icon(QLatin1String("plus")));
    m_value->setFixedWidth(scaledLength(52));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(1, 1, 1, 1);
    row->setSpacing(0);
    for (QToolButton* button : { m_out, m_value, m_in, m_fit, m_grip })
        row->addWidget(button);
    row->setSpacing(0);
    m_out->setToolTip(tr("Zoom out (−)"));
    m_in->setToolTip(tr("Zoom in (+)"));
    m_value->setToolTip(tr("Zoom to 100 % (0)"));
    m_fit->setToolTip(tr("Show the whole graph (1)"));
    connect(m_out, &QToolButton::clicked, this, &ZoomControl::zoomOutRequested);
    connect(m_in, &QToolButton::clicked, this, &ZoomControl::zoomInRequested);
    connect(m_value, &QToolButton::clicked, this, &ZoomControl::resetRequested);
    connect(m_fit, &QToolButton::clicked, this, &ZoomControl::fitRequested);
}

QToolButton* ZoomControl::addGrip()
{
    auto* grip = dressed(new Grip(this, [this] { Q_EMIT pictureDragged(); }), {}, tr("Picture of the graph"));
    grip->setIcon(icon(QLatin1String("image")));
    grip->setToolTip(tr("Drag the graph's picture into another program; a click copies it"));
    connect(grip, &QToolButton::clicked, this, &ZoomControl::pictureRequested);
    return grip;
}

QToolButton* ZoomControl::addButton(const QString& text, const QString& name)
{
    return dressed(new QToolButton(this), text, name);
}

QToolButton* ZoomControl::dressed(QToolButton* button, const QString& text, const QString& name)
{
    button->setText(text);
    button->setAccessibleName(name);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    button->setIconSize(QSize(14, 14));
    button->setToolButtonStyle(text.isEmpty() ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextOnly);
    button->setCursor(Qt::ArrowCursor);
    makeDense(button);
    return button;
}

void ZoomControl::setZoom(double zoom)
{
    m_value->setText(QStringLiteral("%1 %").arg(static_cast<int>(std::lround(zoom * 100))));
}

void ZoomControl::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    paint::roundedFrame(painter, QRectF(rect()), tokens().base, tokens().border);
    for (const QToolButton* after : { m_fit, m_grip })
        painter.fillRect(QRect(after->x() - 1, 1, 1, height() - 2), color(&Tokens::border));
}

} // namespace sg::ui
