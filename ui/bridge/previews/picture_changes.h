#pragma once

#include <QImage>
#include <QString>

namespace sg::ui {

struct ComparedPictures {
    QImage both; // side by side, the older left; null: one of them is
    QString words; // "2.4 % of the pixels differ", "600 × 340 before, 640 × 340 now"
};

// Pixel by pixel where both have the same size; what differs is framed in both. Any thread.
ComparedPictures comparePictures(const QImage& older, const QImage& newer);

} // namespace sg::ui
