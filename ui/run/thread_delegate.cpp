#include "ui/run/thread_delegate.h"

#include "ui/run/thread_model.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/state_look.h"
#include "ui/widgets/time_format.h"

#include <QDateTime>
#include <QPainter>

#include <cmath>

namespace sg::ui {

namespace {

QString noteOf(const QModelIndex& index)
{
    QString note = index.data(ThreadModel::WordRole).toString();
    const auto count = index.data(ThreadModel::CheckpointsRole).toLongLong();
    if (count > 0)
        note += count == 1 ? ThreadDelegate::tr(", 1 checkpoint")
                           : ThreadDelegate::tr(", %1 checkpoints").arg(count);
    const double updated = index.data(ThreadModel::UpdatedRole).toDouble();
    if (!std::isnan(updated) && updated > 0)
        note += QStringLiteral(", ") + formatDay(updated, QDateTime::currentDateTime());
    return note;
}

} // namespace

QSize ThreadDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const
{
    return { option.rect.width(), scaledLength(40) };
}

void ThreadDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                           const QModelIndex& index) const
{
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    const QRgb background = selected ? tokens().selection : tokens().base;
    painter->fillRect(option.rect, QColor::fromRgba(background));
    const StateKind state = index.data(ThreadModel::PausedRole).toBool()
        ? StateKind::Paused
        : stateOf(index.data(ThreadModel::StatusRole).value<RunStatus>());
    const QRectF row = option.rect;
    paintStateGlyph(*painter, state, QRectF(row.left() + 12, row.center().y() - 8, 16, 16), background);

    const double left = row.left() + 38;
    const double room = row.right() - left - 12;
    const QFont nameFont = uiFont(TextSize::Dense, QFont::DemiBold);
    const QFont noteFont = uiFont(TextSize::Small);
    const double half = row.height() / 2;
    painter->setPen(color(&Tokens::text));
    painter->setFont(nameFont);
    painter->drawText(QRectF(left, row.top() + 3, row.width(), half), Qt::AlignVCenter,
                      QFontMetricsF(nameFont).elidedText(index.data().toString(), Qt::ElideRight, room));
    painter->setPen(color(selected ? &Tokens::text : &Tokens::muted));
    painter->setFont(noteFont);
    painter->drawText(QRectF(left, row.top() + half - 2, room, half), Qt::AlignVCenter,
                      QFontMetricsF(noteFont).elidedText(noteOf(index), Qt::ElideRight, room));
    painter->fillRect(QRectF(row.left(), row.bottom(), row.width(), 1), color(&Tokens::subtle));
}

void ThreadDelegate::updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                                          const QModelIndex&) const
{
    editor->setGeometry(option.rect.adjusted(34, 6, -6, -6));
}

} // namespace sg::ui
