#pragma once

#include <QLabel>

namespace sg::ui {

// Sets a text that changes many times a second. The label keeps its size while the text fits approximately,
// so that the window is not laid out again each time.
inline void setSteadyText(QLabel& label, const QString& text)
{
    if (text == label.text())
        return;
    constexpr int kSlack = 16; // pixels
    const QMargins margins = label.contentsMargins();
    const QFontMetrics metrics = label.fontMetrics();
    const int width = metrics.horizontalAdvance(text) + margins.left() + margins.right() + 2 * label.margin();
    const int height = metrics.height() + margins.top() + margins.bottom() + 2 * label.margin();
    const QSize kept = label.minimumSize();
    const bool fits = kept == label.maximumSize() && kept.height() == height && width <= kept.width()
        && kept.width() <= width + kSlack;
    if (!fits)
        label.setFixedSize(width, height);
    label.setText(text);
}

} // namespace sg::ui
