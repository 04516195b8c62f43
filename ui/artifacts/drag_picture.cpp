#include "ui/artifacts/drag_picture.h"

#include "ui/artifacts/artifact_model.h"
#include "ui/widgets/badge.h"
#include "ui/widgets/byte_format.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/palette.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>

namespace sg::ui {

namespace {

constexpr double kWidth = 160;
constexpr double kHeight = 92;
constexpr double kBehind = 8;
constexpr double kLabel = 24;
constexpr std::size_t kSheets = 3;

void paintSheet(QPainter& painter, const QRectF& sheet)
{
    painter.setPen(color(&Tokens::strong));
    painter.setBrush(color(&Tokens::raised));
    painter.drawRoundedRect(sheet.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
}

} // namespace

QPixmap dragPicture(const std::vector<ArtifactRow>& artifacts, const QPixmap& thumbnail, double scale)
{
    const double behind = kBehind * static_cast<double>(std::min(artifacts.size(), kSheets) - 1);
    const QSizeF size(kWidth + behind + 12, kHeight + behind + 4 + kLabel + 12);
    QPixmap picture((size * scale).toSize());
    picture.setDevicePixelRatio(scale);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    painter.setRenderHints(QPainter::Antialiasing | QPainter::SmoothPixmapTransform);
    for (double shift = behind; shift >= 0; shift -= kBehind)
        paintSheet(painter, QRectF(shift, 12 + shift, kWidth, kHeight));
    const QRectF front(0, 12, kWidth, kHeight);
    if (thumbnail.isNull()) {
        paintIcon(painter, artifactIcon(artifacts.front()),
                  QRectF(front.center() - QPointF(16, 16), QSizeF(32, 32)), color(&Tokens::text2));
    } else {
        const QSizeF fitted =
            QSizeF(thumbnail.size()).scaled(front.adjusted(2, 2, -2, -2).size(), Qt::KeepAspectRatio);
        painter.drawPixmap(QRectF(front.center() - QPointF(fitted.width(), fitted.height()) / 2, fitted),
                           thumbnail, QRectF(thumbnail.rect()));
    }
    qint64 bytes = 0;
    for (const ArtifactRow& artifact : artifacts)
        bytes += artifact.size;
    const QString words = artifacts.size() == 1
        ? artifacts.front().name
        : ArtifactModel::tr("%1 files, %2").arg(artifacts.size()).arg(formatBytes(bytes));
    const QFont font = uiFont(TextSize::Dense);
    const QRectF label(0, front.bottom() + behind + 4, kWidth + behind, kLabel);
    const QString shown = QFontMetricsF(font).elidedText(words, Qt::ElideMiddle, label.width() - 16);
    paintSheet(painter,
               QRectF(label.topLeft(), QSizeF(QFontMetricsF(font).horizontalAdvance(shown) + 17, kLabel)));
    painter.setFont(font);
    painter.setPen(color(&Tokens::text));
    painter.drawText(label.adjusted(8, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, shown);
    if (artifacts.size() > 1)
        paintBadge(painter, QString::number(artifacts.size()), Badge::Kind::Accent, kWidth + behind + 8, 12);
    return picture;
}

} // namespace sg::ui
