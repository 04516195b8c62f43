#include "ui/storage/size_delegate.h"

#include "ui/storage/storage_model.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"

#include <QPainter>
#include <QStyle>
#include <QWidget>

#include <cmath>

namespace sg::ui {

void SizeDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const
{
    QStyleOptionViewItem plain = option;
    initStyleOption(&plain, index);
    plain.text.clear();
    option.widget->style()->drawControl(QStyle::CE_ItemViewItem, &plain, painter, option.widget);
    const QRectF room = QRectF(option.rect).adjusted(8, 0, -8, 0);
    const double width = scaledLength(72);
    const QRectF bar(room.left(), std::round(room.center().y()) - 3, width, 7);
    painter->fillRect(bar, color(&Tokens::neutralTint));
    painter->fillRect(
        QRectF(bar.left(), bar.top(), width * index.data(StorageModel::ShareRole).toDouble(), bar.height()),
        color(&Tokens::text2));
    painter->setFont(option.font);
    painter->setPen(color(&Tokens::text));
    painter->drawText(room.adjusted(width + 8, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                      index.data().toString());
}

} // namespace sg::ui
