#include "ui/bridge/previews/picture_changes.h"

#include <QObject>
#include <QPainter>
#include <QRect>

#include <algorithm>

namespace sg::ui {
namespace {

constexpr int kGap = 16;
constexpr int kLargestSide = 4000; // of one shown picture

struct Difference {
    qint64 pixels = 0;
    QRect place; // bounds of all different pixels
};

Difference differenceOf(const QImage& older, const QImage& newer)
{
    Difference found;
    for (int y = 0; y < older.height(); ++y) {
        const auto* a = reinterpret_cast<const QRgb*>(older.constScanLine(y));
        const auto* b = reinterpret_cast<const QRgb*>(newer.constScanLine(y));
        int first = -1;
        int last = -1;
        for (int x = 0; x < older.width(); ++x) {
            if (a[x] == b[x])
                continue;
            ++found.pixels;
            first = first < 0 ? x : first;
            last = x;
        }
        if (first >= 0)
            found.place |= QRect(first, y, last - first + 1, 1);
    }
    return found;
}

QString sizeWords(const QImage& image)
{
    return QObject::tr("%1 × %2").arg(image.width()).arg(image.height());
}

} // namespace

ComparedPictures comparePictures(const QImage& older, const QImage& newer)
{
    ComparedPictures made;
    if (older.isNull() || newer.isNull())
        return made;
    const QImage a = older.convertToFormat(QImage::Format_ARGB32);
    const QImage b = newer.convertToFormat(QImage::Format_ARGB32);
    Difference difference;
    if (a.size() == b.size()) {
        difference = differenceOf(a, b);
        const double share =
            100.0 * static_cast<double>(difference.pixels) / (static_cast<double>(a.width()) * a.height());
        made.words = difference.pixels == 0 ? QObject::tr("every pixel is the same")
                                            : QObject::tr("%1 % of the pixels differ").arg(share, 0, 'g', 2);
    } else {
        made.words = QObject::tr("%1 before, %2 now").arg(sizeWords(a), sizeWords(b));
    }
    const double scale =
        std::min(1.0, double(kLargestSide) / std::max({ a.width(), a.height(), b.width(), b.height() }));
    const QSize left = (QSizeF(a.size()) * scale).toSize().expandedTo({ 1, 1 });
    const QSize right = (QSizeF(b.size()) * scale).toSize().expandedTo({ 1, 1 });
    made.both = QImage(left.width() + kGap + right.width(), std::max(left.height(), right.height()),
                       QImage::Format_ARGB32_Premultiplied);
    made.both.fill(Qt::transparent);
    QPainter painter(&made.both);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    const QRect places[] = { QRect(QPoint(), left), QRect(QPoint(left.width() + kGap, 0), right) };
    painter.drawImage(places[0], a);
    painter.drawImage(places[1], b);
    if (difference.pixels == 0)
        return made;
    painter.setPen(QPen(QColor(0xb9, 0x15, 0xd6), 2)); // visible over pictures of any colour in both themes
    const QRectF frame(QPointF(difference.place.topLeft()) * scale, QSizeF(difference.place.size()) * scale);
    for (const QRect& place : places)
        painter.drawRect(frame.translated(place.topLeft()).adjusted(-3, -3, 3, 3));
    return made;
}

} // namespace sg::ui
