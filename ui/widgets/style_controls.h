#pragma once

#include <QStyle>

class QPainter;
class QStyleOption;
class QStyleOptionButton;
class QStyleOptionComboBox;
class QStyleOptionSlider;
class QStyleOptionSpinBox;
class QStyleOptionToolButton;
class QWidget;

// Painters of Style for controls that are pressed, typed into or dragged.
namespace sg::ui::paint {

inline constexpr int kRadius = 4;
inline constexpr int kChevron = 12;

// A 1 px frame with rounded corners inside `rect`.
void roundedFrame(QPainter& painter, const QRectF& rect, QRgb fill, QRgb edge, double radius = kRadius);
void focusRing(QPainter& painter, const QRectF& rect, double radius = kRadius);

void pushButtonPanel(QPainter& painter, const QStyleOption& option, const QWidget* widget);
void toolButtonPanel(QPainter& painter, const QStyleOption& option);
void toolButton(QPainter& painter, const QStyleOptionToolButton& option, const QWidget* widget,
                const QStyle& style);
void comboBox(QPainter& painter, const QStyleOptionComboBox& option);
void lineEditPanel(QPainter& painter, const QStyleOption& option);
void spinBox(QPainter& painter, const QStyleOptionSpinBox& option, const QWidget* widget,
             const QStyle& style);
void checkIndicator(QPainter& painter, const QStyleOption& option);
void radioIndicator(QPainter& painter, const QStyleOption& option);
void scrollBar(QPainter& painter, const QStyleOptionSlider& option, const QWidget* widget,
               const QStyle& style);
void chevron(QPainter& painter, const QStyleOption& option, QStyle::PrimitiveElement direction);

} // namespace sg::ui::paint
