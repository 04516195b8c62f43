#include "ui/timeline/nested_run_painter.h"

#include "ui/selection/checkpoint_words.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/state_look.h"

#include <QFontMetricsF>
#include <QObject>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sg::ui {

namespace {

constexpr double kBarHeight = 14;
constexpr double kDot = 2.5; // radius
constexpr std::size_t kMostBeside = 3; // tasks of an inner superstep
constexpr double kNarrowestInner = 7; // of an inner superstep; else they are counted

} // namespace

std::vector<NestedBox> nestedBoxes(const HistoryModel& model, const NestedRuns& nested,
                                   const TimelineGeometry& geometry, int mark, double nowMs)
{
    std::vector<NestedBox> boxes;
    const HistoryModel::Mark& at = model.mark(mark);
    const std::vector<TaskRow> tasks = model.tasksOf(mark, kMostShownTasks);
    const std::vector<TaskBox> bars = taskBoxes(tasks, geometry.centre(at), geometry, nowMs, at.timeMs);
    const double top = geometry.laneTop(at.lane) + geometry.lane;
    const auto& marks = model.lane(at.lane).marks;
    const auto behind = std::ranges::upper_bound(marks, mark);
    const double endMs =
        behind == marks.end() ? std::numeric_limits<double>::infinity() : model.mark(*behind).timeMs;
    for (const TaskRow& task : tasks) {
        const auto bar = std::ranges::find_if(bars, [&](const TaskBox& box) { return box.task == &task; });
        const QRectF rect = bar != bars.end() ? bar->rect : bars.empty() ? QRectF() : bars.back().rect;
        for (const QString& ns : nested.inside(task)) {
            if (rect.isEmpty() || static_cast<int>(boxes.size()) == NestedRuns::kMostRows)
                return boxes;
            boxes.push_back(
                { ns,
                  QRectF(rect.left(), top + static_cast<double>(boxes.size()) * geometry.nestedRow(),
                         rect.width(), geometry.nestedRow()),
                  at.timeMs, endMs });
        }
    }
    return boxes;
}

const NestedRuns::Run* runIn(const NestedRuns& nested, const NestedBox& box)
{
    return isShared(box.ns) ? nested.part(box.ns, box.fromMs, box.toMs) : nested.run(box.ns);
}

namespace {

// Returns the tasks that ran from a checkpoint, at most as many as there is room for.
std::vector<const TaskRow*> tasksFrom(const NestedRuns::Run& run, const QString& checkpoint)
{
    std::vector<const TaskRow*> tasks;
    for (const TaskRow& task : run.tasks)
        if (task.checkpoint == checkpoint && tasks.size() < kMostBeside)
            tasks.push_back(&task);
    return tasks;
}

// A superstep that is not over yet has no checkpoint behind it.
std::size_t stepsOf(const NestedRuns::Run& run)
{
    const std::size_t count = run.checkpoints.size();
    return count > 0 && !tasksFrom(run, run.checkpoints.back().id).empty()
        ? count
        : std::max<std::size_t>(1, count) - 1;
}

} // namespace

std::vector<InnerBox> innerBoxes(const NestedRuns::Run& run, const NestedBox& box,
                                 const TimelineGeometry& geometry)
{
    std::vector<InnerBox> inner;
    const std::size_t steps = stepsOf(run);
    const bool inSteps = geometry.axis == TimelineAxis::Step;
    const auto xOf = [&](std::size_t i) {
        return inSteps
            ? box.rect.left() + box.rect.width() * static_cast<double>(i) / static_cast<double>(steps)
            : i < run.checkpoints.size() ? geometry.first + geometry.scale.x(run.checkpoints[i].timeMs)
                                         : box.rect.right();
    };
    for (std::size_t i = 0; i < steps; ++i) {
        const double from = xOf(i) + kDot * 2;
        const double to = xOf(i + 1) - kDot * 2;
        const auto tasks = tasksFrom(run, run.checkpoints[i].id);
        if (to <= from || tasks.empty())
            continue;
        const auto beside = static_cast<double>(tasks.size());
        const double room = (box.rect.height() - 2 - (beside - 1)) / beside;
        const double height = std::floor(std::min(kBarHeight * geometry.unit(), room));
        double top = std::round(box.rect.center().y() - (height * beside + beside - 1) / 2);
        for (const TaskRow* task : tasks) {
            inner.push_back({ QRectF(from, top, to - from, height), task });
            top += height + 1;
        }
    }
    return inner;
}

void NestedRunPainter::paint(int lane)
{
    const HistoryModel::Lane& found = m_model.lane(lane);
    const TimelineGeometry::Range seen = m_geometry.marksBetween(m_model, lane, m_paint.left, m_paint.right);
    if (seen.to - seen.from > kMostUnfolded)
        return; // too near to one another for anything inside of them
    for (int index = seen.from; index <= seen.to; ++index)
        for (const NestedBox& box : nestedBoxes(m_model, m_scene.nested, m_geometry,
                                                found.marks[static_cast<std::size_t>(index)], m_scene.nowMs))
            paintRun(box);
}

void NestedRunPainter::paintRun(const NestedBox& box)
{
    const double y = std::round(box.rect.center().y()) + 0.5;
    const NestedRuns::Run* run = runIn(m_scene.nested, box);
    m_painter.setPen(timelinePen(&Tokens::strong, 1));
    m_painter.drawLine(QPointF(box.rect.left(), box.rect.top()), QPointF(box.rect.left(), y));
    m_painter.drawLine(QPointF(box.rect.left(), y), QPointF(box.rect.right(), y));
    if (run == nullptr || run->checkpoints.empty())
        return; // comes soon
    const auto steps = static_cast<double>(std::max<std::size_t>(1, stepsOf(*run)));
    m_painter.setFont(uiFont(TextSize::Tiny));
    if (box.rect.width() / steps < kNarrowestInner * m_unit && m_geometry.axis == TimelineAxis::Step) {
        const auto made = run->checkpoints.size() - 1;
        const QString words = made == 1 ? QObject::tr("1 step") : QObject::tr("%1 steps").arg(made);
        const QRectF pill(box.rect.left() + 6 * m_unit, box.rect.top() + 6 * m_unit,
                          QFontMetricsF(m_painter.font()).horizontalAdvance(words) + 10 * m_unit,
                          box.rect.height() - 12 * m_unit);
        m_painter.setBrush(color(&Tokens::base));
        m_painter.drawRoundedRect(pill, pill.height() / 2, pill.height() / 2);
        m_painter.setPen(color(&Tokens::text));
        m_painter.drawText(pill, Qt::AlignCenter, words);
        return;
    }
    for (const InnerBox& inner : innerBoxes(*run, box, m_geometry))
        paintInner(inner);
    m_painter.setPen(timelinePen(&Tokens::text2, 1));
    m_painter.setBrush(color(&Tokens::base));
    for (std::size_t i = 0; i < run->checkpoints.size(); ++i) {
        const double x = m_geometry.axis == TimelineAxis::Step
            ? box.rect.left() + box.rect.width() * static_cast<double>(i) / steps
            : m_geometry.first + m_geometry.scale.x(run->checkpoints[i].timeMs);
        m_painter.drawEllipse(QPointF(x, y), kDot * m_unit, kDot * m_unit);
    }
}

void NestedRunPainter::paintInner(const InnerBox& inner)
{
    const StateKind kind = stateOf(inner.task->outcome);
    const bool loud = isLoud(kind);
    m_painter.setPen(timelinePen(loud ? stateToken(kind) : &Tokens::border, 1));
    m_painter.setBrush(color(loud ? stateTint(kind) : &Tokens::neutralTint));
    m_painter.drawRoundedRect(inner.rect.adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
    m_painter.fillRect(QRectF(inner.rect.left(), inner.rect.top(), 2, inner.rect.height()),
                       color(stateToken(kind)));
    const QRectF room = inner.rect.adjusted(5 * m_unit, 0, -2 * m_unit, 0);
    const QFontMetricsF metrics(m_painter.font());
    const QString whole = m_scene.nested.nameOf(*inner.task);
    const QString name = metrics.elidedText(whole, Qt::ElideRight, room.width());
    if ((name.size() < 3 && name != whole) || inner.rect.height() < metrics.ascent())
        return; // dots alone tell nothing
    m_painter.setPen(color(&Tokens::text));
    m_painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, name);
}

// Returns where the mark stands that opens and folds what ran inside of a lane's tasks: at the foot of its
// header.
QRectF foldMarkRect(const TimelineGeometry& geometry, int lane)
{
    const double side = 12 * geometry.unit();
    return { geometry.header - 12 * geometry.unit() - side, geometry.laneTop(lane) + 28 * geometry.unit(),
             side, side };
}

void NestedRunPainter::paintFoldMark(int lane, double top)
{
    if (m_scene.nestedRows.empty() || m_scene.nestedRows[static_cast<std::size_t>(lane)] == 0)
        return;
    const bool isOpen = m_scene.nested.isUnfolded(lane);
    QRectF rect = foldMarkRect(m_geometry, lane);
    rect.moveTop(rect.top() - m_geometry.laneTop(lane) + top);
    paintIcon(m_painter, QLatin1String(isOpen ? "down" : "right"), rect, color(&Tokens::text2));
    if (!isOpen)
        return;
    m_painter.setFont(uiFont(TextSize::Small));
    m_painter.setPen(color(&Tokens::muted));
    m_painter.drawText(
        QRectF(36 * m_unit, top + m_geometry.lane, m_geometry.header - 48 * m_unit, m_geometry.nestedRow()),
        Qt::AlignLeft | Qt::AlignVCenter, QObject::tr("Inside of its nodes"));
}

} // namespace sg::ui
