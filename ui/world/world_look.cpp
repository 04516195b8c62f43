#include "ui/world/world_look.h"

#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>

namespace sg::ui {
namespace {

constexpr double kHeadEdge = 12; // horizontal margin of the table header's text

} // namespace

QString changeSign(WorldChange change)
{
    switch (change) {
    case WorldChange::Added: return QStringLiteral("+");
    case WorldChange::Changed: return QStringLiteral("~");
    case WorldChange::Removed: return QString(QChar(0x2212));
    case WorldChange::Same:
    case WorldChange::Unknown: break;
    }
    return {};
}

QString changeWord(WorldChange change)
{
    switch (change) {
    case WorldChange::Added: return WorldDelegate::tr("added");
    case WorldChange::Changed: return WorldDelegate::tr("changed");
    case WorldChange::Removed: return WorldDelegate::tr("removed");
    case WorldChange::Same:
    case WorldChange::Unknown: break;
    }
    return {};
}

QVariant changeInk(WorldChange change)
{
    switch (change) {
    case WorldChange::Added: return color(&Tokens::done);
    case WorldChange::Changed: return color(&Tokens::running);
    case WorldChange::Removed: return color(&Tokens::failed);
    case WorldChange::Same:
    case WorldChange::Unknown: break;
    }
    return {};
}

QVariant changeTint(WorldChange change)
{
    switch (change) {
    case WorldChange::Added: return color(&Tokens::doneTint);
    case WorldChange::Changed: return color(&Tokens::runningTint);
    case WorldChange::Removed: return color(&Tokens::failedTint);
    case WorldChange::Same:
    case WorldChange::Unknown: break;
    }
    return {};
}

void WorldDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const
{
    const auto change = static_cast<WorldChange>(index.siblingAtColumn(0).data(ChangeRole).toInt());
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    painter->save();
    if (const QVariant tint = changeTint(change); !selected && tint.isValid())
        painter->fillRect(option.rect, tint.value<QColor>());
    const bool isFirst = index.column() == 0;
    const double edge = isFirst ? 4 : kHeadEdge;
    QRectF room = QRectF(option.rect).adjusted(edge, 0, -std::max(edge, 6.0), 0);
    if (isFirst) {
        painter->setFont(uiFont(TextSize::Dense, QFont::Bold));
        if (const QVariant ink = changeInk(change); ink.isValid()) {
            painter->setPen(ink.value<QColor>());
            painter->drawText(QRectF(room.left(), room.top(), scaledLength(14), room.height()),
                              Qt::AlignCenter, changeSign(change));
        }
        room.setLeft(room.left() + scaledLength(18));
        if (const QString name = index.data(IconRole).toString(); !name.isEmpty()) {
            const double side = scaledLength(14);
            const QByteArray file = name.toLatin1();
            paintIcon(*painter, QLatin1String(file),
                      QRectF(room.left(), room.center().y() - side / 2, side, side), color(&Tokens::text2));
            room.setLeft(room.left() + scaledLength(20));
        }
    }
    QFont font = index.data(MonoRole).toBool() ? monoFont() : uiFont(TextSize::Dense);
    font.setStrikeOut(change == WorldChange::Removed && index.column() == 0);
    painter->setFont(font);
    painter->setPen(color(index.column() == 0 || selected ? &Tokens::text : &Tokens::text2));
    const auto alignment = static_cast<Qt::Alignment>(
        index.data(Qt::TextAlignmentRole).isValid() ? index.data(Qt::TextAlignmentRole).toInt()
                                                    : static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter));
    painter->drawText(room, static_cast<int>(alignment) | Qt::TextSingleLine,
                      QFontMetricsF(font).elidedText(index.data().toString(), Qt::ElideRight, room.width()));
    painter->restore();
}

QSize WorldDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const double sign = index.column() != 0 ? 0
        : index.data(IconRole).isValid()    ? scaledLength(38)
                                            : scaledLength(18);
    const QFont font = index.data(MonoRole).toBool() ? monoFont() : uiFont(TextSize::Dense);
    const double words = QFontMetricsF(font).horizontalAdvance(index.data().toString());
    return { static_cast<int>(words + sign + 2 * kHeadEdge),
             QStyledItemDelegate::sizeHint(option, index).height() };
}

} // namespace sg::ui
