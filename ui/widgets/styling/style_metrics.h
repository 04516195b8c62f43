#pragma once

#include <QRect>
#include <QSize>
#include <QStyle>

#include <optional>

class QStyleOption;
class QStyleOptionSlider;
class QWidget;

// The sizes of Style's parts.
namespace sg::ui::metrics {

std::optional<int> fixedMetric(QStyle::PixelMetric metric); // nothing means Fusion's value

// `contents` is the size of text and icon, `base` the size that Fusion would choose.
QSize sizeOf(QStyle::ContentsType type, const QStyleOption* option, const QSize& contents, const QSize& base,
             const QWidget* widget);

// The scroll bar has no arrows: the thumb, at least `shortest` long, uses its whole length.
QRect scrollBarPart(const QStyleOptionSlider& bar, QStyle::SubControl part, int shortest);

} // namespace sg::ui::metrics
