#include "ui/run/waiting_delegate.h"

#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/state_look.h"
#include "ui/widgets/time_format.h"

#include <QDateTime>
#include <QPainter>

#include <cmath>

namespace sg::ui {

QSize WaitingDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const
{
    return { option.rect.width(), scaledLength(44) };
}

void WaitingDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const
{
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    const QRgb background = selected ? tokens().selection : tokens().base;
    painter->fillRect(option.rect, QColor::fromRgba(background));
    const QRectF row = option.rect;
    const bool isPause = index.data(PauseRole).toBool();
    paintStateGlyph(*painter, isPause ? StateKind::Paused : StateKind::Waiting,
                    QRectF(row.left() + 12, row.top() + 6, 16, 16), background);
    const double left = row.left() + 36;
    const double right = row.right() - 12;
    const QFont bold = uiFont(TextSize::Dense, QFont::DemiBold);
    const QFont plain = uiFont(TextSize::Dense);
    const double half = row.height() / 2;
    const QString node = index.data(NodeRole).toString();
    painter->setFont(bold);
    painter->setPen(color(&Tokens::text));
    painter->drawText(QRectF(left, row.top() + 3, right - left, half - 2), Qt::AlignVCenter, node);
    const double used = QFontMetricsF(bold).horizontalAdvance(node) + 8;
    painter->setFont(plain);
    painter->setPen(color(selected ? &Tokens::text : &Tokens::muted));
    const double since = index.data(SinceRole).toDouble();
    const double seconds = (QDateTime::currentMSecsSinceEpoch() - since) / 1000;
    const QString age = index.data(GivenRole).toBool() ? tr("Answered")
        : std::isnan(since)                            ? QString()
                                                       : formatDuration(std::max(0.0, seconds));
    painter->drawText(QRectF(left, row.top() + 3, right - left, half - 2), Qt::AlignRight | Qt::AlignVCenter,
                      age);
    const double room = right - left - used - QFontMetricsF(plain).horizontalAdvance(age) - 8;
    painter->drawText(
        QRectF(left + used, row.top() + 3, std::max(0.0, room), half - 2), Qt::AlignVCenter,
        QFontMetricsF(plain).elidedText(index.data(ThreadRole).toString(), Qt::ElideRight, room));
    painter->setPen(color(&Tokens::text));
    painter->drawText(
        QRectF(left, row.top() + half - 1, right - left, half - 3), Qt::AlignVCenter,
        QFontMetricsF(plain).elidedText(index.data(QuestionRole).toString(), Qt::ElideRight, right - left));
    painter->fillRect(QRectF(row.left(), row.bottom(), row.width(), 1), color(&Tokens::subtle));
}

} // namespace sg::ui
