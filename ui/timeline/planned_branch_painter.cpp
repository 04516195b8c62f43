#include "ui/timeline/planned_branch_painter.h"

#include "ui/selection/checkpoint_words.h"
#include "ui/timeline/task_bar_painter.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/state_look.h"

#include <QFontMetricsF>
#include <QObject>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace sg::ui {

namespace {

constexpr double kRing = 6; // radius of a checkpoint's dot
constexpr double kBend = 8;

QPen dotted(Token token, double width, double dash)
{
    QPen made = timelinePen(token, width);
    made.setDashPattern({ dash, dash });
    return made;
}

QString fateWord(PlannedBranch::Task::Fate fate)
{
    switch (fate) {
    case PlannedBranch::Task::Fate::Runs: return QObject::tr("runs");
    case PlannedBranch::Task::Fate::Asks: return QObject::tr("asks");
    case PlannedBranch::Task::Fate::Reused: return QObject::tr("reused");
    }
    return {};
}

} // namespace

double plannedStep(const TimelineGeometry& geometry)
{
    return geometry.axis == TimelineAxis::Step ? geometry.step : scaledLength(120);
}

void PlannedBranchPainter::paint()
{
    const double top = m_paint.lanesEnd() - m_geometry.lane;
    const double y = top + m_geometry.lane / 2;
    m_painter.fillRect(QRectF(m_paint.left, top, m_paint.right - m_paint.left, m_geometry.lane),
                       color(&Tokens::accentTint));
    m_painter.fillRect(QRectF(m_paint.left, top + m_geometry.lane - 1, m_paint.right - m_paint.left, 1),
                       color(&Tokens::border));
    const QPointF parent = m_geometry.centre(m_model.mark(m_paint.planned));
    const double step = plannedStep(m_geometry);
    const double end = parent.x() + step * static_cast<double>(m_scene.planned->steps.size());
    QPainterPath rail(parent);
    rail.lineTo(parent.x(), y - kBend * m_unit);
    rail.quadTo(parent.x(), y, parent.x() + kBend * m_unit, y);
    rail.lineTo(std::max(end, parent.x() + kBend * m_unit), y);
    m_painter.setBrush(Qt::NoBrush);
    m_painter.setPen(dotted(&Tokens::text2, 1.5, 2));
    m_painter.drawPath(rail);
    if (step < kMarkRoom * m_unit)
        return; // no room for single steps
    for (std::size_t i = 0; i < m_scene.planned->steps.size(); ++i) {
        const double x = parent.x() + step * static_cast<double>(i);
        if (x + 2 * step < m_paint.left || x > m_paint.right)
            continue;
        paintStep({ x, y }, m_scene.planned->steps[i]);
        m_painter.setPen(dotted(&Tokens::text2, 1.5, 1.5));
        m_painter.setBrush(color(&Tokens::accentTint));
        m_painter.drawEllipse(QPointF(x + step, y), kRing * m_unit, kRing * m_unit);
    }
}

void PlannedBranchPainter::paintStep(const QPointF& mark, const std::vector<PlannedBranch::Task>& tasks)
{
    TimelineGeometry inSteps = m_geometry; // what did not run has no times
    inSteps.axis = TimelineAxis::Step;
    inSteps.step = plannedStep(m_geometry);
    std::vector<TaskRow> rows(tasks.size());
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        rows[i].node = tasks[i].node;
        rows[i].outcome =
            tasks[i].fate == PlannedBranch::Task::Fate::Reused ? TaskOutcome::Cached : TaskOutcome::Pending;
    }
    for (const TaskBox& box : taskBoxes(rows, mark, inSteps, m_scene.nowMs)) {
        const auto place = static_cast<std::size_t>(box.task ? box.task - rows.data() : 0);
        if (box.task && tasks[place].fate != PlannedBranch::Task::Fate::Reused)
            paintTask(box, fateWord(tasks[place].fate));
        else
            TaskBarPainter(m_paint).paint(box, 0);
    }
}

void PlannedBranchPainter::paintTask(const TaskBox& box, const QString& word)
{
    const QFont font = uiFont(box.rect.height() < 16 * m_unit ? TextSize::Tiny : TextSize::Small);
    m_painter.setPen(dotted(&Tokens::text2, 1, 1.5));
    m_painter.setBrush(color(&Tokens::base));
    m_painter.drawRoundedRect(box.rect.adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
    const QRectF room = box.rect.adjusted(8 * m_unit, 0, -3, 0);
    if (room.width() < 10 * m_unit)
        return;
    const QFontMetricsF metrics(font);
    const QString name = metrics.elidedText(box.task->node, Qt::ElideRight, room.width());
    m_painter.setFont(font);
    m_painter.setPen(color(&Tokens::text));
    m_painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, name);
    const double used = metrics.horizontalAdvance(name) + 5 * m_unit;
    m_painter.setPen(color(&Tokens::text2));
    if (used + metrics.horizontalAdvance(word) <= room.width())
        m_painter.drawText(room.adjusted(used, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, word);
}

void PlannedBranchPainter::paintHeader()
{
    const double top = m_geometry.ruler + m_paint.lanesEnd() - m_geometry.lane - m_scene.scroll.y();
    m_painter.fillRect(QRectF(0, top, m_geometry.header, m_geometry.lane - 1), color(&Tokens::selection));
    m_painter.fillRect(QRectF(0, top + m_geometry.lane - 1, m_geometry.header, 1), color(&Tokens::subtle));
    const double side = 16 * m_unit;
    paintStateGlyph(m_painter, StateKind::Queued,
                    QRectF(12 * m_unit, top + (m_geometry.lane - side) / 2, side, side), tokens().selection);
    const double left = 36 * m_unit;
    const double right = m_geometry.header - 12 * m_unit;
    const QRectF first(left, top + 10 * m_unit, right - left, 16 * m_unit);
    const QRectF second(left, top + 26 * m_unit, right - left, 16 * m_unit);
    const QFont noteFont = uiFont(TextSize::Small);
    const QString step = stepText(m_model.mark(m_paint.planned).step);
    const QString note = m_scene.planned->note.isEmpty()
        ? QObject::tr("from %1").arg(step)
        : QObject::tr("from %1: %2").arg(step, m_scene.planned->note);
    m_painter.setFont(noteFont);
    m_painter.setPen(color(&Tokens::text2));
    m_painter.drawText(first, Qt::AlignRight | Qt::AlignVCenter, QObject::tr("preview"));
    m_painter.drawText(second, Qt::AlignLeft | Qt::AlignVCenter,
                       QFontMetricsF(noteFont).elidedText(note, Qt::ElideRight, second.width()));
    m_painter.setFont(uiFont(TextSize::Dense, QFont::DemiBold));
    m_painter.setPen(color(&Tokens::text));
    m_painter.drawText(first, Qt::AlignLeft | Qt::AlignVCenter,
                       QObject::tr("Branch %1").arg(m_model.lanes().size() + 1));
}

} // namespace sg::ui
