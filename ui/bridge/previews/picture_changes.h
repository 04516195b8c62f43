#pragma once

#include <QImage>
#include <QString>

namespace sg::ui {

struct ComparedPictures {
    QImage both; // side by side, the older on the left; null if one of them is null
    QString words; // "2.4 % of the pixels differ", "600 × 340 before, 640 × 340 now"
};

// Compares pixel by pixel if both have the same size, and frames the difference in both. Any thread.
ComparedPictures comparePictures(const QImage& older, const QImage& newer);

} // namespace sg::ui
