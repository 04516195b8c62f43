#include "ui/pools/pool_delegate.h"

#include "ui/pools/pool_model.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"

#include <QPainter>

#include <algorithm>

namespace sg::ui {
namespace {

constexpr double kShownMs = 5.0 * 60 * 1000;

void paintCurve(QPainter& painter, const QRectF& room, const std::vector<PoolSample>& samples,
                double PoolSample::*value)
{
    painter.setPen(color(&Tokens::strong));
    painter.drawLine(room.bottomLeft(), room.bottomRight());
    if (samples.size() < 2)
        return;
    const double end = samples.back().timeMs;
    const auto first = std::ranges::lower_bound(samples, end - kShownMs, {}, &PoolSample::timeMs);
    double most = 1;
    for (auto each = first; each != samples.end(); ++each)
        most = std::max(most, (*each).*value);
    QPolygonF line;
    for (auto each = first; each != samples.end(); ++each)
        line << QPointF(room.right() - (end - each->timeMs) / kShownMs * room.width(),
                        room.bottom() - (*each).*value / most * room.height());
    painter.setPen(color(&Tokens::text2));
    painter.drawPolyline(line);
}

void paintPlaces(QPainter& painter, const QRectF& room, const PoolRow& pool)
{
    painter.fillRect(room, color(&Tokens::subtle));
    if (pool.slots <= 0)
        return;
    const double share = std::clamp(static_cast<double>(pool.running) / pool.slots, 0.0, 1.0);
    painter.fillRect(QRectF(room.topLeft(), QSizeF(room.width() * share, room.height())),
                     color(&Tokens::text2));
}

} // namespace

void PoolDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const
{
    const auto* model = qobject_cast<const PoolModel*>(index.model());
    const int column = index.column();
    const bool isCurve = column == PoolModel::WaitingColumn || column == PoolModel::DoneColumn;
    if (model == nullptr || (!isCurve && column != PoolModel::BusyColumn)) {
        QStyledItemDelegate::paint(painter, option, index);
        return;
    }
    const int width = scaledLength(56);
    const int gap = scaledLength(8);
    QStyleOptionViewItem back(option);
    initStyleOption(&back, index);
    const QString words = std::exchange(back.text, QString());
    const QStyle* style = option.widget == nullptr ? nullptr : option.widget->style();
    if (style != nullptr)
        style->drawControl(QStyle::CE_ItemViewItem, &back, painter, option.widget);
    const PoolRow& pool = model->pools()[static_cast<std::size_t>(index.row())];
    const QRectF cell = option.rect.adjusted(gap, 0, -gap, 0);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing, isCurve);
    const double height = isCurve ? cell.height() * 0.45 : scaledLength(5);
    const QRectF room(cell.left(), cell.center().y() - height / 2, width, height);
    if (isCurve)
        paintCurve(*painter, room, model->history().of(pool.role),
                   column == PoolModel::WaitingColumn ? &PoolSample::waiting : &PoolSample::done);
    else
        paintPlaces(*painter, room, pool);
    painter->setRenderHint(QPainter::Antialiasing, false);
    painter->setFont(back.font);
    painter->setPen(color(&Tokens::text));
    const QRectF rest = cell.adjusted(width + gap, 0, 0, 0);
    painter->drawText(rest, Qt::AlignLeft | Qt::AlignVCenter,
                      back.fontMetrics.elidedText(words, Qt::ElideRight, static_cast<int>(rest.width())));
    painter->restore();
}

} // namespace sg::ui
