#include "ui/graph/canvas/zoom_control.h"

#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/style.h"
#include "ui/widgets/style_controls.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QToolButton>

#include <cmath>

namespace sg::ui {

ZoomControl::ZoomControl(QWidget* parent)
    : QWidget(parent)
    , m_out(addButton({}, tr("Zoom out")))
    , m_value(addButton(QStringLiteral("100 %"), tr("Zoom to 100 %")))
    , m_in(addButton({}, tr("Zoom in")))
    , m_fit(addButton(tr("Fit"), tr("Show the whole graph")))
{
    setAccessibleName(tr("Zoom"));
    m_out->setIcon(icon(QLatin1String("minus")));
    m_in->setIcon(icon(QLatin1String("plus")));
    m_value->setFixedWidth(scaledLength(52));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(1, 1, 1, 1);
    row->setSpacing(0);
    for (QToolButton* button : { m_out, m_value, m_in, m_fit })
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

QToolButton* ZoomControl::addButton(const QString& text, const QString& name)
{
    auto* button = new QToolButton(this);
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
    painter.fillRect(QRect(m_fit->x() - 1, 1, 1, height() - 2), color(&Tokens::border));
}

} // namespace sg::ui
