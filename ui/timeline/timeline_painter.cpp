#include "ui/timeline/timeline_painter.h"

#include "ui/timeline/timeline_words.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/state_look.h"
#include "ui/widgets/time_format.h"

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
constexpr double kTaskTail = 112; // a rail reaches below the tasks of its last superstep

QPen pen(Token token, double width)
{
    QPen made(color(token), width);
    made.setCapStyle(Qt::FlatCap);
    return made;
}

} // namespace

TimelinePainter::TimelinePainter(QPainter& painter, const TimelineScene& scene)
    : m_painter(painter)
    , m_scene(scene)
    , m_model(scene.model)
    , m_geometry(scene.geometry)
    , m_unit(scene.geometry.lane / 52)
{
    if (scene.current != TimelineModel::kNone) {
        m_viewedLane = m_model.mark(scene.current).lane;
        m_path = m_model.pathTo(scene.current);
    } else {
        m_path.assign(m_model.lanes().size(), TimelineModel::kNone);
    }
    const double width = scene.size.width() - m_geometry.header;
    const double height = scene.size.height() - m_geometry.ruler;
    m_lanes = m_geometry.lanesBetween(scene.scroll.y(), scene.scroll.y() + height,
                                      static_cast<int>(m_model.lanes().size()));
    m_columns = m_geometry.columnsBetween(scene.scroll.x(), scene.scroll.x() + width);
}

void TimelinePainter::paint()
{
    m_painter.setRenderHint(QPainter::Antialiasing);
    const QRectF content(m_geometry.header, m_geometry.ruler, m_scene.size.width() - m_geometry.header,
                         m_scene.size.height() - m_geometry.ruler);
    m_painter.save();
    m_painter.setClipRect(content);
    m_painter.translate(content.topLeft() - m_scene.scroll);
    paintLanes();
    paintColumns();
    paintRails();
    paintSupersteps();
    m_painter.restore();
    paintHeaders();
    paintRuler();
    paintCursor();
}

void TimelinePainter::paintLanes()
{
    const double right = m_scene.scroll.x() + m_scene.size.width();
    for (int lane = m_lanes.from; lane <= m_lanes.to; ++lane) {
        const double top = lane * m_geometry.lane;
        if (lane == m_viewedLane)
            m_painter.fillRect(QRectF(0, top, right, m_geometry.lane), color(&Tokens::accentTint));
        const bool last = lane == static_cast<int>(m_model.lanes().size()) - 1;
        m_painter.fillRect(QRectF(0, top + m_geometry.lane - 1, right, 1),
                           color(last ? &Tokens::border : &Tokens::subtle));
    }
}

void TimelinePainter::paintColumns()
{
    const double bottom = static_cast<double>(m_model.lanes().size()) * m_geometry.lane - 1;
    for (int column = std::max(0, m_columns.from); column <= std::min(m_columns.to, m_model.columnCount());
         ++column)
        m_painter.fillRect(QRectF(std::round(m_geometry.columnX(column)), 0, 1, bottom),
                           color(&Tokens::subtle));
}

void TimelinePainter::paintRail(const QPointF& from, const QPointF& to, bool onPath)
{
    m_painter.setPen(onPath ? pen(&Tokens::text2, 2) : pen(&Tokens::strong, 1.5));
    m_painter.drawLine(from, to);
}

void TimelinePainter::paintRails()
{
    for (int lane = 0; lane < static_cast<int>(m_model.lanes().size()); ++lane)
        if (m_model.lane(lane).forkedFrom != TimelineModel::kNone
            && m_path[static_cast<std::size_t>(lane)] == TimelineModel::kNone)
            paintFork(lane);
    for (int lane = 0; lane < static_cast<int>(m_model.lanes().size()); ++lane)
        if (m_model.lane(lane).forkedFrom != TimelineModel::kNone
            && m_path[static_cast<std::size_t>(lane)] != TimelineModel::kNone)
            paintFork(lane);
    for (int lane = m_lanes.from; lane <= m_lanes.to; ++lane) {
        const TimelineModel::Lane& found = m_model.lane(lane);
        const int last = found.firstColumn + static_cast<int>(found.marks.size()) - 1;
        const int path = m_path[static_cast<std::size_t>(lane)];
        const double y = m_geometry.laneY(lane);
        const int from = std::max(found.firstColumn, m_columns.from);
        const int to = std::min(last, m_columns.to);
        if (from <= to) {
            const double bend =
                std::clamp(m_geometry.columnX(path), m_geometry.columnX(from), m_geometry.columnX(to));
            if (path < to)
                paintRail({ bend, y }, { m_geometry.columnX(to), y }, false);
            if (path > from)
                paintRail({ m_geometry.columnX(from), y }, { bend, y }, true);
        }
        if (last <= m_columns.to && last >= m_columns.from && !m_model.tasksOf(found.marks.back()).empty()) {
            const double end = m_model.laneState(lane).kind == StateKind::Running ? kTaskTail : kBend + kRing;
            paintRail({ m_geometry.columnX(last), y }, { m_geometry.columnX(last) + end * m_unit, y }, false);
        }
    }
}

// Straight down from the parent, then a bend into the lane.
void TimelinePainter::paintFork(int lane)
{
    const TimelineModel::Lane& found = m_model.lane(lane);
    const QPointF parent = m_geometry.centre(m_model.mark(found.forkedFrom));
    const QPointF first(m_geometry.columnX(found.firstColumn), m_geometry.laneY(lane));
    const double top = m_scene.scroll.y();
    const double bottom = top + m_scene.size.height();
    if (first.x() < m_scene.scroll.x() || parent.x() > m_scene.scroll.x() + m_scene.size.width()
        || std::max(parent.y(), first.y()) < top || std::min(parent.y(), first.y()) > bottom)
        return;
    const bool onPath = m_path[static_cast<std::size_t>(lane)] != TimelineModel::kNone;
    const double bend = kBend * m_unit;
    QPainterPath path(parent);
    path.lineTo(parent.x(), first.y() - bend);
    path.quadTo(parent.x(), first.y(), parent.x() + bend, first.y());
    path.lineTo(first);
    m_painter.setBrush(Qt::NoBrush);
    m_painter.setPen(onPath ? pen(&Tokens::text2, 2) : pen(&Tokens::strong, 1.5));
    m_painter.drawPath(path);
}

void TimelinePainter::paintSupersteps()
{
    for (int lane = m_lanes.from; lane <= m_lanes.to; ++lane) {
        const TimelineModel::Lane& found = m_model.lane(lane);
        const int last = found.firstColumn + static_cast<int>(found.marks.size()) - 1;
        const int from = std::max(found.firstColumn, m_columns.from);
        const int to = std::min(last, m_columns.to);
        for (int column = from; column <= to; ++column) {
            const int index = m_model.markAt(lane, column);
            const TimelineModel::Mark& mark = m_model.mark(index);
            const QPointF centre = m_geometry.centre(mark);
            const double end = centre.x() + m_geometry.step - 12 * m_unit;
            for (const TaskBox& box : taskBoxes(m_model.tasksOf(index), centre, m_geometry, m_scene.nowMs))
                paintTask(box, end - box.rect.right());
            if (column == last)
                paintLive(mark);
        }
        for (int column = from; column <= to; ++column)
            paintMark(m_model.markAt(lane, column));
    }
}

void TimelinePainter::paintLive(const TimelineModel::Mark& mark)
{
    if (m_model.laneState(mark.lane).kind != StateKind::Running)
        return;
    m_painter.setFont(uiFont(TextSize::Small, QFont::DemiBold));
    m_painter.setPen(color(&Tokens::running));
    const QPointF centre = m_geometry.centre(mark);
    m_painter.drawText(QRectF(centre.x() + (kTaskTail + 4) * m_unit, centre.y() - m_geometry.lane / 2,
                              m_geometry.step, m_geometry.lane),
                       Qt::AlignLeft | Qt::AlignVCenter, QObject::tr("live"));
}

void TimelinePainter::paintTask(const TaskBox& box, double spaceRight)
{
    const bool stacked = box.rect.height() < 16 * m_unit;
    const QFont font = uiFont(stacked ? TextSize::Tiny : TextSize::Small);
    if (!box.task) {
        m_painter.setFont(font);
        m_painter.setPen(color(&Tokens::muted));
        m_painter.drawText(box.rect, Qt::AlignLeft | Qt::AlignVCenter, QStringLiteral("+%1").arg(box.more));
        return;
    }
    const StateKind kind = stateFromWord(box.task->outcome);
    const bool loud = kind == StateKind::Failed || kind == StateKind::Running || kind == StateKind::Waiting;
    const Token tint = loud         ? stateTint(kind)
        : kind == StateKind::Cached ? &Tokens::base
                                    : &Tokens::neutralTint;
    const Token ink = stateToken(kind);
    const QRectF frame = box.rect.adjusted(0.5, 0.5, -0.5, -0.5);
    m_painter.setPen(pen(loud ? ink : &Tokens::border, 1));
    m_painter.setBrush(color(tint));
    m_painter.drawRoundedRect(frame, 2, 2);
    if (kind == StateKind::Cached)
        m_painter.fillRect(QRectF(box.rect.left() + 3, box.rect.top() + 1, 1, box.rect.height() - 2),
                           color(ink));
    else
        m_painter.fillRect(QRectF(box.rect.left(), box.rect.top(), 3, box.rect.height()), color(ink));
    double left = box.rect.left() + 8 * m_unit;
    if (loud) {
        const double side = (stacked ? 10 : 12) * m_unit;
        const QRectF glyph(box.rect.left() + 6 * m_unit, box.rect.center().y() - side / 2, side, side);
        paintStateGlyph(m_painter, kind, glyph, tokens().*tint);
        left = glyph.right() + 4 * m_unit;
    }
    const QRectF inside(left, box.rect.top(), box.rect.right() - left - 3, box.rect.height());
    const double wanted = QFontMetricsF(font).horizontalAdvance(box.task->node);
    const bool beside = wanted > inside.width() && spaceRight > inside.width() + 8;
    paintTaskText(
        box,
        beside ? QRectF(box.rect.right() + 6 * m_unit, box.rect.top(), spaceRight - 6, box.rect.height())
               : inside,
        font);
}

void TimelinePainter::paintTaskText(const TaskBox& box, const QRectF& room, const QFont& font)
{
    const QFontMetricsF metrics(font);
    const QString name = metrics.elidedText(box.task->node, Qt::ElideRight, room.width());
    m_painter.setFont(font);
    m_painter.setPen(color(&Tokens::text));
    m_painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, name);
    const StateKind kind = stateFromWord(box.task->outcome);
    const double seconds = taskSeconds(*box.task, m_scene.nowMs);
    const QString note = kind == StateKind::Cached          ? QObject::tr("reused")
        : std::isnan(seconds) || kind == StateKind::Waiting ? QString()
                                                            : formatDuration(seconds);
    const double used = metrics.horizontalAdvance(name) + 5 * m_unit;
    if (note.isEmpty() || used + metrics.horizontalAdvance(note) > room.width())
        return;
    m_painter.setPen(
        color(kind == StateKind::Failed || kind == StateKind::Running ? &Tokens::text2 : &Tokens::muted));
    m_painter.drawText(room.adjusted(used, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, note);
}

void TimelinePainter::paintMark(int index)
{
    const TimelineModel::Mark& mark = m_model.mark(index);
    const QPointF centre = m_geometry.centre(mark);
    const Token under = index == m_scene.current ? &Tokens::base
        : mark.lane == m_viewedLane              ? &Tokens::accentTint
                                                 : &Tokens::base;
    if (index == m_scene.current) {
        m_painter.setPen(pen(&Tokens::accent, m_scene.focused ? 2.5 : 2));
        m_painter.setBrush(color(&Tokens::base));
        m_painter.drawEllipse(centre, 10 * m_unit, 10 * m_unit);
    }
    const Rewind rewind = mark.row.sandbox == QLatin1String("exact") ? Rewind::Exact
        : mark.row.sandbox == QLatin1String("restored")              ? Rewind::Restored
                                                                     : Rewind::None;
    paintRewindMark(m_painter, rewind, centre, tokens().text2, tokens().*under);
}

void TimelinePainter::paintEmpty(QPainter& painter, const QRectF& rect, const QString& sentence)
{
    constexpr int kDots = 5;
    const double unit = scaledLength(52) / 52.0;
    painter.setRenderHint(QPainter::Antialiasing);
    const QFont font = uiFont(TextSize::Dense);
    const double words = std::ceil(QFontMetricsF(font).horizontalAdvance(sentence));
    const double dots = ((kDots - 1) * 48 + 20) * unit;
    const double gap = 16 * unit;
    const bool roomForDots = dots + gap + words < rect.width();
    double left = rect.center().x() - (words + (roomForDots ? dots + gap : 0)) / 2;
    const double y = std::round(rect.center().y()) + 0.5;
    for (int dot = 0; roomForDots && dot < kDots; ++dot) {
        const double x = left + (10 + dot * 48) * unit;
        if (dot + 1 < kDots) {
            painter.setPen(pen(&Tokens::border, 1));
            painter.drawLine(QPointF(x + 8 * unit, y), QPointF(x + 40 * unit, y));
        }
        QPen dotted = pen(&Tokens::strong, 1);
        dotted.setDashPattern({ 2, 2 });
        painter.setPen(dotted);
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(QPointF(x, y), 5 * unit, 5 * unit);
    }
    left = roomForDots ? left + dots + gap : std::max(rect.left() + gap, left);
    painter.setFont(font);
    painter.setPen(color(&Tokens::muted));
    painter.drawText(QRectF(left, rect.top(), rect.right() - left - gap, rect.height()),
                     Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap, sentence);
}

} // namespace sg::ui
