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
constexpr double kMostName = 200;
constexpr std::size_t kSheets = 3;

void paintSheet(QPainter& painter, const QRectF& sheet)
{
    painter.setPen(color(&Tokens::strong));
    painter.setBrush(color(&Tokens::raised));
    painter.drawRoundedRect(sheet.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
}

// Example: "plot.png and 2 more 115 kB"
struct Label {
    QString name;
    QString more;
    QString size;
    QFont strong = uiFont(TextSize::Dense, QFont::DemiBold);
    QFont plain = uiFont(TextSize::Dense);

    [[nodiscard]] double width() const
    {
        return QFontMetricsF(strong).horizontalAdvance(name) + QFontMetricsF(plain).horizontalAdvance(more)
            + QFontMetricsF(plain).horizontalAdvance(size) + 1;
    }
    void paint(QPainter& painter, const QRectF& place) const
    {
        paintSheet(painter, place);
        double left = place.left() + 8;
        const auto put = [&](const QFont& font, Token ink, const QString& words) {
            painter.setFont(font);
            painter.setPen(color(ink));
            painter.drawText(QRectF(left, place.top(), place.width(), place.height()),
                             Qt::AlignLeft | Qt::AlignVCenter, words);
            left += QFontMetricsF(font).horizontalAdvance(words);
        };
        put(strong, &Tokens::text, name);
        put(plain, &Tokens::text, more);
        put(plain, &Tokens::muted, size);
    }
};

Label labelOf(const std::vector<ArtifactRow>& artifacts)
{
    qint64 bytes = 0;
    for (const ArtifactRow& artifact : artifacts)
        bytes += artifact.size;
    Label label;
    label.name = QFontMetricsF(label.strong).elidedText(artifacts.front().name, Qt::ElideMiddle, kMostName);
    if (artifacts.size() > 1)
        label.more = ArtifactModel::tr(" and %1 more").arg(artifacts.size() - 1);
    label.size = QLatin1Char(' ') + formatBytes(bytes);
    return label;
}

} // namespace

QPixmap dragPicture(const std::vector<ArtifactRow>& artifacts, const QPixmap& thumbnail, double scale)
{
    const double behind = kBehind * static_cast<double>(std::min(artifacts.size(), kSheets) - 1);
    const Label label = labelOf(artifacts);
    const QSizeF size(std::max(kWidth + behind + 12, label.width() + 16), kHeight + behind + 4 + kLabel + 12);
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
    label.paint(painter, QRectF(0, front.bottom() + behind + 4, label.width() + 16, kLabel));
    if (artifacts.size() > 1)
        paintBadge(painter, QString::number(artifacts.size()), Badge::Kind::Accent, kWidth + behind + 8, 12);
    return picture;
}

} // namespace sg::ui
