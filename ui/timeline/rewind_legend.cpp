#include "ui/timeline/rewind_legend.h"

#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/state_look.h"

#include <QFontMetricsF>
#include <QPainter>

#include <array>
#include <cmath>

namespace sg::ui {

namespace {

constexpr double kDotRoom = 16; // room of a dot
constexpr double kGap = 10;

struct Entry {
    Rewind rewind;
    QString words;
};

std::array<Entry, 3> entries()
{
    return { { { Rewind::Exact, RewindLegend::tr("exact") },
               { Rewind::Restored, RewindLegend::tr("restored") },
               { Rewind::None, RewindLegend::tr("none") } } };
}

} // namespace

RewindLegend::RewindLegend(QWidget* parent)
    : QWidget(parent)
{
    setAccessibleName(tr("Rewind: a full dot is exact, a half one restored, an empty one has nothing"));
    setToolTip(tr("How exactly the sandbox can be brought back to a checkpoint"));
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

QSize RewindLegend::sizeHint() const
{
    const QFontMetricsF metrics(uiFont(TextSize::Small));
    const double unit = scaledLength(100) / 100.0;
    double width = metrics.horizontalAdvance(tr("Rewind")) + kGap * unit;
    for (const Entry& entry : entries())
        width += (kDotRoom + kGap) * unit + metrics.horizontalAdvance(entry.words);
    return { static_cast<int>(std::ceil(width)), scaledLength(24) };
}

void RewindLegend::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(uiFont(TextSize::Small));
    const QFontMetricsF metrics(painter.font());
    const double unit = scaledLength(100) / 100.0;
    double x = 0;
    const auto write = [&](const QString& words) {
        painter.setPen(color(&Tokens::muted));
        painter.drawText(QRectF(x, 0, width() - x, height()), Qt::AlignLeft | Qt::AlignVCenter, words);
        x += metrics.horizontalAdvance(words) + kGap * unit;
    };
    write(tr("Rewind"));
    for (const Entry& entry : entries()) {
        paintRewindMark(painter, entry.rewind, { x + kDotRoom * unit / 2 - 2, height() / 2.0 },
                        tokens().text2, tokens().window);
        x += kDotRoom * unit;
        write(entry.words);
    }
}

} // namespace sg::ui
