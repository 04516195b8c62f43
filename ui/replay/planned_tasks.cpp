#include "ui/replay/planned_tasks.h"

#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/state_look.h"
#include "ui/widgets/time_format.h"

#include <QPainter>
#include <QStandardItemModel>
#include <QStyledItemDelegate>

namespace sg::ui {
namespace {

enum Role { StepRole = Qt::UserRole, LastRole, FailedRole, ReusedRole };

// The result of the last run: "failed after 0.9 s", "2.5 s", "asked you".
QString lastTime(const PlannedTask& task)
{
    if (task.outcome == TaskOutcome::Failed)
        return PlannedTasks::tr("failed after %1").arg(formatDuration(task.seconds));
    if (task.outcome == TaskOutcome::Interrupted)
        return PlannedTasks::tr("asked you");
    if (task.outcome == TaskOutcome::Stopped)
        return PlannedTasks::tr("was stopped");
    return formatDuration(task.seconds);
}

class TaskDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override
    {
        return { option.rect.width(), scaledLength(24) };
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const QRectF row = QRectF(option.rect).adjusted(12, 0, -12, 0);
        painter->setFont(uiFont(TextSize::Dense));
        painter->setPen(color(&Tokens::muted));
        if (!index.data(StepRole).isValid()) { // only headings have no step
            painter->drawText(row, Qt::AlignVCenter, index.data().toString());
            return;
        }
        painter->drawText(row, Qt::AlignVCenter, index.data(StepRole).toString());
        const double glyph = row.left() + scaledLength(32);
        const bool isReused = index.data(ReusedRole).toBool();
        paintStateGlyph(*painter, isReused ? StateKind::Cached : StateKind::Queued,
                        QRectF(glyph, row.center().y() - 7, 14, 14), tokens().base);
        const QFontMetricsF metrics(painter->font());
        const QString last = index.data(LastRole).toString();
        painter->setPen(color(index.data(FailedRole).toBool() ? &Tokens::failed : &Tokens::muted));
        painter->drawText(row, Qt::AlignVCenter | Qt::AlignRight, last);
        painter->setFont(uiFont(TextSize::Dense, QFont::DemiBold));
        painter->setPen(color(&Tokens::text));
        const double left = glyph + 24;
        const double room = row.right() - metrics.horizontalAdvance(last) - 12 - left;
        painter->drawText(
            QRectF(left, row.top(), room, row.height()), Qt::AlignVCenter,
            QFontMetricsF(painter->font()).elidedText(index.data().toString(), Qt::ElideRight, room));
    }
};

} // namespace

PlannedTasks::PlannedTasks(QWidget* parent)
    : QListView(parent)
    , m_model(new QStandardItemModel(this))
{
    setModel(m_model);
    setItemDelegate(new TaskDelegate(this));
    setFrameShape(QFrame::NoFrame);
    setSelectionMode(NoSelection);
    setUniformItemSizes(true);
    setAccessibleName(tr("Tasks that will run"));
}

void PlannedTasks::setPlan(const ReplayPlan& plan, bool isCertain)
{
    m_model->clear();
    if (!plan.next.empty())
        addHeading(isCertain ? tr("Next superstep, exactly these")
                             : tr("Next superstep, unless the changes lead elsewhere"));
    for (const PlannedTask& task : plan.next)
        addTask(task, false);
    if (!plan.reused.empty())
        addHeading(tr("Not run: their last results count"));
    for (const PlannedTask& task : plan.reused)
        addTask(task, true);
    if (!plan.later.empty())
        addHeading(tr("Then, if it goes as the last time"));
    for (const PlannedTask& task : plan.later)
        addTask(task, false);
    if (plan.moreLater > 0)
        addHeading(tr("and %1 more").arg(plan.moreLater));
}

void PlannedTasks::addHeading(const QString& words)
{
    auto* item = new QStandardItem(words);
    item->setFlags(Qt::ItemIsEnabled);
    m_model->appendRow(item);
}

void PlannedTasks::addTask(const PlannedTask& task, bool isReused)
{
    auto* item = new QStandardItem(task.node);
    const QString last = isReused ? tr("reused") : lastTime(task);
    item->setFlags(Qt::ItemIsEnabled);
    item->setData(QString::number(task.step), StepRole);
    item->setData(last, LastRole);
    item->setData(!isReused && task.outcome == TaskOutcome::Failed, FailedRole);
    item->setData(isReused, ReusedRole);
    item->setData(isReused ? tr("step %1, %2, reused").arg(task.step).arg(task.node)
                           : tr("step %1, %2, last time %3").arg(task.step).arg(task.node, last),
                  Qt::AccessibleTextRole);
    m_model->appendRow(item);
}

} // namespace sg::ui
