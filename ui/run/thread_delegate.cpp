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

QString timeOf(const QModelIndex& index)
{
    const double updated = index.data(ThreadModel::UpdatedRole).toDouble();
    return std::isnan(updated) || updated <= 0 ? QString() : formatDay(updated, QDateTime::currentDateTime());
}

// The state, and how long the thread is where that has room: a figure that is cut says nothing.
QString noteOf(const QModelIndex& index, const QFontMetricsF& metrics, double room)
{
    const QString word = index.data(ThreadModel::WordRole).toString();
    const auto count = index.data(ThreadModel::CheckpointsRole).toLongLong();
    const QString all = count == 0 ? word
        : count == 1               ? ThreadDelegate::tr("%1, 1 checkpoint").arg(word)
                                   : ThreadDelegate::tr("%1, %2 checkpoints").arg(word).arg(count);
    return metrics.horizontalAdvance(all) <= room ? all : metrics.elidedText(word, Qt::ElideRight, room);
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
    const QFontMetricsF noteMetrics(noteFont);
    const QRectF upper(left, row.top() + 3, room, half);
    painter->setPen(color(selected ? &Tokens::text : &Tokens::muted));
    painter->setFont(noteFont);
    const QString time = timeOf(index);
    painter->drawText(upper, Qt::AlignVCenter | Qt::AlignRight, time);
    painter->drawText(QRectF(left, row.top() + half - 2, room, half), Qt::AlignVCenter,
                      noteOf(index, noteMetrics, room));
    painter->setPen(color(&Tokens::text));
    painter->setFont(nameFont);
    painter->drawText(upper, Qt::AlignVCenter,
                      QFontMetricsF(nameFont).elidedText(index.data().toString(), Qt::ElideRight,
                                                         room - noteMetrics.horizontalAdvance(time) - 8));
    painter->fillRect(QRectF(row.left(), row.bottom(), row.width(), 1), color(&Tokens::subtle));
}

void ThreadDelegate::updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                                          const QModelIndex&) const
{
    editor->setGeometry(option.rect.adjusted(34, 6, -6, -6));
}

} // namespace sg::ui
