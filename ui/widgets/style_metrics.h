#pragma once

#include <QRect>
#include <QSize>
#include <QStyle>

#include <optional>

class QStyleOption;
class QStyleOptionSlider;
class QWidget;

// How large the parts of our style are.
namespace sg::ui::metrics {

std::optional<int> fixedMetric(QStyle::PixelMetric metric); // nothing: Fusion's own

// `contents`: what the text and icon need; `base`: what Fusion would make of it.
QSize sizeOf(QStyle::ContentsType type, const QStyleOption* option, const QSize& contents, const QSize& base,
             const QWidget* widget);

// The scroll bar has no arrows: the thumb, at least `shortest` long, runs over its whole length.
QRect scrollBarPart(const QStyleOptionSlider& bar, QStyle::SubControl part, int shortest);

} // namespace sg::ui::metrics
