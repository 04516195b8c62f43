#include "ui/commands/quick_delegate.h"

#include "ui/commands/quick_model.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"

#include <QPainter>
#include <QTextLayout>

#include <algorithm>

namespace sg::ui {
namespace {

constexpr int kRowHeight = 32;
constexpr int kRowPadding = 12;
constexpr int kRowIcon = 16;
constexpr int kPlaceWidth = 150;

// Matching letters are bold and underlined, so that they do not depend on colour.
void paintTitle(QPainter& painter, const QRectF& room, const QString& title, const QList<int>& matched)
{
    const QFont font = uiFont(TextSize::Normal);
    QString shown = QFontMetricsF(font).elidedText(title, Qt::ElideRight, room.width());
    QTextLayout layout(shown, font);
    QList<QTextLayout::FormatRange> formats;
    for (const int at : matched) {
        if (at >= shown.size() || shown[at] != title[at])
            break;
        QTextLayout::FormatRange range;
        range.start = at;
        range.length = 1;
        range.format.setFontWeight(QFont::DemiBold);
        range.format.setFontUnderline(true);
        range.format.setUnderlineColor(color(&Tokens::accent));
        formats << range;
    }
    layout.setFormats(formats);
    layout.beginLayout();
    QTextLine line = layout.createLine();
    line.setLineWidth(room.width() * 2); // bold letters may be wider than measured
    layout.endLayout();
    layout.draw(&painter, QPointF(room.left(), room.center().y() - line.height() / 2));
}

} // namespace

QSize QuickDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const
{
    return { option.rect.width(), scaledLength(kRowHeight) };
}

void QuickDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const
{
    painter->save();
    const QRectF row = option.rect;
    if (option.state.testFlag(QStyle::State_Selected))
        painter->fillRect(row, color(&Tokens::selection));
    else if (option.state.testFlag(QStyle::State_MouseOver))
        painter->fillRect(row, color(&Tokens::hover));
    const QString whyNot = index.data(QuickModel::WhyNotRole).toString();
    const bool possible = whyNot.isEmpty();

    const double icon = scaledLength(kRowIcon);
    const QRectF sign(row.left() + kRowPadding, row.center().y() - icon / 2, icon, icon);
    index.data(Qt::DecorationRole)
        .value<QIcon>()
        .paint(painter, sign.toRect(), Qt::AlignCenter, possible ? QIcon::Normal : QIcon::Disabled);

    double right = row.right() - kRowPadding;
    if (const QString key = index.data(QuickModel::KeyRole).toString(); !key.isEmpty()) {
        right -= keyWidth(key);
        paintKey(*painter, key, QPointF(right, row.center().y()));
        right -= kRowPadding;
    }
    const QFont small = uiFont(TextSize::Dense);
    const QString place = possible ? index.data(QuickModel::PlaceRole).toString() : whyNot;
    const double placeWidth = std::min<double>(possible ? scaledLength(kPlaceWidth) : row.width() / 2,
                                               QFontMetricsF(small).horizontalAdvance(place) + 2);
    painter->setFont(small);
    painter->setPen(color(&Tokens::muted));
    painter->drawText(QRectF(right - placeWidth, row.top(), placeWidth, row.height()),
                      Qt::AlignRight | Qt::AlignVCenter,
                      QFontMetricsF(small).elidedText(place, Qt::ElideRight, placeWidth));
    right -= placeWidth + kRowPadding;

    painter->setPen(color(possible ? &Tokens::text : &Tokens::muted));
    const double left = sign.right() + kRowPadding;
    paintTitle(*painter, QRectF(left, row.top(), std::max(0.0, right - left), row.height()),
               index.data().toString(), index.data(QuickModel::MatchedRole).value<QList<int>>());
    painter->restore();
}

} // namespace sg::ui
