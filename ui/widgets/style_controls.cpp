#include "ui/widgets/style_controls.h"

#include "ui/widgets/icons.h"
#include "ui/widgets/palette.h"

#include <QPainter>
#include <QStyleOption>
#include <QWidget>

namespace sg::ui::paint {

namespace {

bool has(const QStyleOption& option, QStyle::StateFlag flag)
{
    return option.state.testFlag(flag);
}

bool hovered(const QStyleOption& option)
{
    return has(option, QStyle::State_Enabled) && has(option, QStyle::State_MouseOver);
}

bool focused(const QStyleOption& option)
{
    return has(option, QStyle::State_HasFocus) && has(option, QStyle::State_KeyboardFocusChange);
}

bool variant(const QWidget* widget, const char* property)
{
    return widget && widget->property(property).toBool();
}

// Moved by half a pixel, so that a 1 px line does not blur over two.
QRectF crisp(const QRectF& rect)
{
    return rect.adjusted(0.5, 0.5, -0.5, -0.5);
}

QRgb pressedOr(const QStyleOption& option, QRgb normal)
{
    const Tokens& t = tokens();
    if (has(option, QStyle::State_Sunken))
        return t.border;
    if (has(option, QStyle::State_On))
        return t.selection;
    return hovered(option) ? t.hover : normal;
}

void paintIndicatorBase(QPainter& painter, const QStyleOption& option, bool on)
{
    const Tokens& t = tokens();
    painter.setRenderHint(QPainter::Antialiasing);
    if (!has(option, QStyle::State_Enabled))
        painter.setOpacity(0.42);
    painter.setPen(QColor(on ? t.accent : focused(option) ? t.accent : t.line));
    painter.setBrush(QColor(hovered(option) && !on ? t.hover : t.base));
}

} // namespace

void roundedFrame(QPainter& painter, const QRectF& rect, QRgb fill, QRgb edge, double radius)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QColor(edge));
    painter.setBrush(QColor(fill));
    painter.drawRoundedRect(crisp(rect), radius - 0.5, radius - 0.5);
    painter.restore();
}

void focusRing(QPainter& painter, const QRectF& rect, double radius)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color(&Tokens::accent), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), radius - 1, radius - 1);
    painter.restore();
}

void pushButtonPanel(QPainter& painter, const QStyleOption& option, const QWidget* widget)
{
    const Tokens& t = tokens();
    const bool enabled = has(option, QStyle::State_Enabled);
    const auto* button = qstyleoption_cast<const QStyleOptionButton*>(&option);
    const bool flat = variant(widget, "sgFlat") || variant(widget, "sgLink")
        || (button && button->features.testFlag(QStyleOptionButton::Flat));
    const QRectF rect(option.rect);
    if (variant(widget, "sgPrimary")) {
        const double shade = has(option, QStyle::State_Sunken) ? 0.75 : hovered(option) ? 0.88 : 1;
        const QRgb fill = enabled ? blended(t.accent, t.text, shade) : blended(t.accent, t.window, 0.42);
        roundedFrame(painter, rect, fill, fill);
        if (focused(option)) {
            painter.save();
            painter.setRenderHint(QPainter::Antialiasing);
            painter.setPen(color(&Tokens::onAccent));
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(rect.adjusted(2.5, 2.5, -2.5, -2.5), 2, 2);
            painter.restore();
        }
        return;
    }
    if (flat) {
        const QRgb fill = pressedOr(option, 0);
        if (fill != 0)
            roundedFrame(painter, rect, fill, fill);
    } else {
        roundedFrame(painter, rect, enabled ? pressedOr(option, t.button) : t.window, t.border);
    }
    if (focused(option))
        focusRing(painter, rect);
}

void toolButtonPanel(QPainter& painter, const QStyleOption& option)
{
    const Tokens& t = tokens();
    const bool raised = !has(option, QStyle::State_AutoRaise);
    const QRgb fill = pressedOr(option, raised ? t.button : 0);
    if (fill != 0)
        roundedFrame(painter, QRectF(option.rect), fill, raised ? t.border : fill);
    if (focused(option))
        focusRing(painter, QRectF(option.rect));
}

void toolButton(QPainter& painter, const QStyleOptionToolButton& option, const QWidget* widget,
                const QStyle& style)
{
    QStyleOptionToolButton panel = option;
    panel.state.setFlag(QStyle::State_Sunken, has(option, QStyle::State_Sunken));
    style.drawPrimitive(QStyle::PE_PanelButtonTool, &panel, &painter, widget);

    QStyleOptionToolButton label = option;
    const bool menu = option.features.testFlag(QStyleOptionToolButton::HasMenu)
        || option.features.testFlag(QStyleOptionToolButton::MenuButtonPopup);
    label.features = option.features & QStyleOptionToolButton::Arrow; // a button that is an arrow
    label.state.setFlag(QStyle::State_Sunken, false);
    // Beside an icon the words begin at the left: the room around both is shared.
    const bool hasBoth = option.toolButtonStyle == Qt::ToolButtonTextBesideIcon && !menu;
    label.rect = option.rect.adjusted(hasBoth ? 7 : 2, 0, menu ? -16 : -2, 0);
    style.drawControl(QStyle::CE_ToolButtonLabel, &label, &painter, widget);
    if (!menu)
        return;
    QColor ink = color(&Tokens::text2);
    if (!has(option, QStyle::State_Enabled))
        ink.setAlphaF(0.42F);
    paintIcon(painter, QLatin1String("down"),
              QRectF(option.rect.right() - 17, option.rect.center().y() - 5, kChevron, kChevron), ink);
}

void comboBox(QPainter& painter, const QStyleOptionComboBox& option)
{
    const Tokens& t = tokens();
    const bool enabled = has(option, QStyle::State_Enabled);
    const QRectF rect(option.rect);
    const QRgb normal = option.editable ? t.base : t.button;
    QRgb fill = enabled ? normal : t.window;
    if (!option.editable && (hovered(option) || has(option, QStyle::State_On)))
        fill = t.hover;
    roundedFrame(painter, rect, fill, t.border);
    QColor ink = color(&Tokens::text2);
    if (!enabled)
        ink.setAlphaF(0.42F);
    paintIcon(painter, QLatin1String("down"),
              QRectF(option.rect.right() - 19, option.rect.center().y() - 5, kChevron, kChevron), ink);
    if (has(option, QStyle::State_HasFocus)
        && (option.editable || has(option, QStyle::State_KeyboardFocusChange)))
        focusRing(painter, rect);
}

void lineEditPanel(QPainter& painter, const QStyleOption& option)
{
    const Tokens& t = tokens();
    const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(&option);
    const bool enabled = has(option, QStyle::State_Enabled);
    const QRgb fill = enabled && !has(option, QStyle::State_ReadOnly) ? t.base : t.window;
    if (frame && frame->lineWidth <= 0) {
        painter.fillRect(option.rect, QColor(fill));
        return;
    }
    const bool focus = has(option, QStyle::State_HasFocus);
    roundedFrame(painter, QRectF(option.rect), fill, focus ? t.accent : t.border);
}

void spinBox(QPainter& painter, const QStyleOptionSpinBox& option, const QWidget* widget, const QStyle& style)
{
    const Tokens& t = tokens();
    const bool enabled = has(option, QStyle::State_Enabled);
    roundedFrame(painter, QRectF(option.rect), enabled ? t.base : t.window,
                 has(option, QStyle::State_HasFocus) ? t.accent : t.border);
    if (option.buttonSymbols == QAbstractSpinBox::NoButtons)
        return;
    const auto arrow = [&](QStyle::SubControl part, QLatin1String name,
                           QAbstractSpinBox::StepEnabledFlag step) {
        const QRect area = style.subControlRect(QStyle::CC_SpinBox, &option, part, widget);
        QColor ink =
            color(option.activeSubControls.testFlag(part) && enabled ? &Tokens::text : &Tokens::text2);
        if (!enabled || !option.stepEnabled.testFlag(step))
            ink.setAlphaF(0.42F);
        const QPointF centre = QRectF(area).center();
        paintIcon(painter, name, QRectF(centre.x() - 5, centre.y() - 5, 10, 10), ink);
    };
    arrow(QStyle::SC_SpinBoxUp, QLatin1String("up"), QAbstractSpinBox::StepUpEnabled);
    arrow(QStyle::SC_SpinBoxDown, QLatin1String("down"), QAbstractSpinBox::StepDownEnabled);
}

void checkIndicator(QPainter& painter, const QStyleOption& option)
{
    const bool on = has(option, QStyle::State_On);
    const bool partial = has(option, QStyle::State_NoChange);
    painter.save();
    paintIndicatorBase(painter, option, on || partial);
    if (on || partial)
        painter.setBrush(color(&Tokens::accent));
    const QRectF box = crisp(QRectF(option.rect));
    painter.drawRoundedRect(box, 3, 3);
    if (partial) {
        painter.setPen(QPen(color(&Tokens::onAccent), 2));
        painter.drawLine(QPointF(box.left() + 4, box.center().y()),
                         QPointF(box.right() - 4, box.center().y()));
    } else if (on) {
        paintIcon(painter, QLatin1String("check"), QRectF(option.rect).adjusted(1, 1, -1, -1),
                  color(&Tokens::onAccent));
    }
    painter.restore();
}

void radioIndicator(QPainter& painter, const QStyleOption& option)
{
    const bool on = has(option, QStyle::State_On);
    painter.save();
    paintIndicatorBase(painter, option, on);
    painter.setPen(QPen(painter.pen().color(), 1.5));
    const QRectF circle = QRectF(option.rect).adjusted(1, 1, -1, -1);
    painter.drawEllipse(circle);
    if (on) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(color(&Tokens::accent));
        painter.drawEllipse(circle.center(), 3.5, 3.5);
    }
    painter.restore();
}

void scrollBar(QPainter& painter, const QStyleOptionSlider& option, const QWidget* widget,
               const QStyle& style)
{
    const Tokens& t = tokens();
    const QColor trough = widget && widget->parentWidget()
        ? widget->parentWidget()->palette().color(QPalette::Base)
        : QColor(t.base);
    painter.fillRect(option.rect, trough);
    if (option.minimum >= option.maximum)
        return;
    const bool active = option.activeSubControls.testFlag(QStyle::SC_ScrollBarSlider);
    const bool held = active && has(option, QStyle::State_Sunken);
    const bool horizontal = option.orientation == Qt::Horizontal;
    QRectF thumb(style.subControlRect(QStyle::CC_ScrollBar, &option, QStyle::SC_ScrollBarSlider, widget));
    thumb = horizontal ? thumb.adjusted(2, 3, -2, -3) : thumb.adjusted(3, 2, -3, -2);
    const double radius = std::min(thumb.width(), thumb.height()) / 2;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(held || (active && hovered(option)) ? t.line : t.strong));
    painter.drawRoundedRect(thumb, radius, radius);
    painter.restore();
}

void chevron(QPainter& painter, const QStyleOption& option, QStyle::PrimitiveElement direction)
{
    const QLatin1String name = direction == QStyle::PE_IndicatorArrowUp ? QLatin1String("up")
        : direction == QStyle::PE_IndicatorArrowLeft                    ? QLatin1String("left")
        : direction == QStyle::PE_IndicatorArrowRight                   ? QLatin1String("right")
                                                                        : QLatin1String("down");
    QColor ink = color(&Tokens::text2);
    if (!has(option, QStyle::State_Enabled))
        ink.setAlphaF(0.42F);
    const QPointF centre = QRectF(option.rect).center();
    paintIcon(painter, name,
              QRectF(std::round(centre.x() - kChevron / 2.0), std::round(centre.y() - kChevron / 2.0),
                     kChevron, kChevron),
              ink);
}

} // namespace sg::ui::paint
