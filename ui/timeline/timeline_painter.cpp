#include "ui/timeline/timeline_painter.h"

#include "ui/selection/checkpoint_words.h"
#include "ui/timeline/nested_run_painter.h"
#include "ui/timeline/planned_branch_painter.h"
#include "ui/timeline/task_bar_painter.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
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
constexpr double kTaskTail = 112; // a rail reaches below the tasks of its last superstep

QString countText(int count)
{
    return count < 1000 ? QString::number(count) : QObject::tr("%1k").arg((count + 500) / 1000);
}

} // namespace

QPen timelinePen(Token token, double width)
{
    QPen made(color(token), width);
    made.setCapStyle(Qt::FlatCap);
    return made;
}

double TimelinePaint::lanesEnd() const
{
    const double end = scene.geometry.laneTop(static_cast<int>(scene.model.lanes().size()));
    return planned == HistoryModel::kNone ? end : end + scene.geometry.lane;
}

TimelinePainter::TimelinePainter(QPainter& painter, const TimelineScene& scene)
    : m_paint{ .painter = painter,
               .scene = scene,
               .left = scene.scroll.x(),
               .right = scene.scroll.x() + scene.size.width() - scene.geometry.header,
               .unit = scene.geometry.unit(),
               .viewedLane = scene.current == HistoryModel::kNone ? HistoryModel::kNone
                                                                  : scene.model.mark(scene.current).lane,
               .planned = scene.planned == nullptr ? HistoryModel::kNone
                                                   : scene.model.find(scene.planned->checkpoint) }
    , m_painter(painter)
    , m_scene(scene)
    , m_model(scene.model)
    , m_geometry(scene.geometry)
    , m_left(m_paint.left)
    , m_right(m_paint.right)
    , m_unit(m_paint.unit)
    , m_viewedLane(m_paint.viewedLane)
{
    if (scene.current != HistoryModel::kNone)
        m_path = m_model.pathTo(scene.current);
    else
        m_path.assign(m_model.lanes().size(), HistoryModel::kNone);
    const double height = scene.lanesBottom - m_geometry.ruler;
    m_lanes = m_geometry.lanesBetween(scene.scroll.y(), scene.scroll.y() + height,
                                      static_cast<int>(m_model.lanes().size()));
}

void TimelinePainter::paint()
{
    m_painter.setRenderHint(QPainter::Antialiasing);
    const QRectF content(m_geometry.header, m_geometry.ruler, m_scene.size.width() - m_geometry.header,
                         m_scene.lanesBottom - m_geometry.ruler);
    m_painter.save();
    m_painter.setClipRect(content);
    m_painter.translate(content.topLeft() - m_scene.scroll);
    paintLanes();
    paintTickLines();
    paintFolds();
    paintRails();
    for (int lane = m_lanes.from; lane <= m_lanes.to; ++lane)
        paintSupersteps(lane);
    for (int lane = m_lanes.from; lane <= m_lanes.to; ++lane)
        if (m_scene.nested.isUnfolded(lane))
            NestedRunPainter(m_paint).paint(lane);
    if (m_paint.planned != HistoryModel::kNone)
        PlannedBranchPainter(m_paint).paint();
    for (auto bookmark = m_scene.tracks.bookmarks.keyBegin(); bookmark != m_scene.tracks.bookmarks.keyEnd();
         ++bookmark)
        paintBookmark(m_model.find(*bookmark));
    paintFound();
    m_painter.restore();
    paintHeaders();
    paintRuler();
    paintCursor();
}

void TimelinePainter::paintLanes()
{
    for (int lane = m_lanes.from; lane <= m_lanes.to; ++lane) {
        const double top = m_geometry.laneTop(lane);
        const double height = m_geometry.laneHeight(lane);
        if (lane == m_viewedLane)
            m_painter.fillRect(QRectF(m_left, top, m_right - m_left, height), color(&Tokens::accentTint));
        if (height > m_geometry.lane)
            m_painter.fillRect(QRectF(m_left, top + m_geometry.lane - 1, m_right - m_left, 1),
                               color(&Tokens::subtle));
        const bool last = lane == static_cast<int>(m_model.lanes().size()) - 1;
        m_painter.fillRect(QRectF(m_left, top + height - 1, m_right - m_left, 1),
                           color(last ? &Tokens::border : &Tokens::subtle));
    }
}

void TimelinePainter::paintTickLines()
{
    const double bottom = m_paint.lanesEnd() - 1;
    for (const TimelineTick& tick : ticksBetween(m_model, m_geometry, m_left, m_right))
        m_painter.fillRect(QRectF(std::round(tick.x), 0, 1, bottom), color(&Tokens::subtle));
}

void TimelinePainter::paintFolds()
{
    if (m_geometry.axis != TimelineAxis::Folded)
        return;
    const double bottom = m_paint.lanesEnd() - 1;
    for (const TimeScale::Fold& fold : m_geometry.scale.folds()) {
        const double x = std::round(m_geometry.first + fold.x);
        if (x + TimeScale::kFoldWidth >= m_left && x <= m_right)
            m_painter.fillRect(QRectF(x + 2, 0, TimeScale::kFoldWidth - 4, bottom),
                               color(&Tokens::neutralTint));
    }
}

void TimelinePainter::paintRail(const QPointF& from, const QPointF& to, bool onPath)
{
    m_painter.setPen(onPath ? timelinePen(&Tokens::text2, 2) : timelinePen(&Tokens::strong, 1.5));
    m_painter.drawLine(from, to);
}

int TimelinePainter::pathMark(int lane) const
{
    const int column = m_path[static_cast<std::size_t>(lane)];
    return column == HistoryModel::kNone ? HistoryModel::kNone : m_model.markAt(lane, column);
}

void TimelinePainter::paintRails()
{
    const int lanes = static_cast<int>(m_model.lanes().size());
    for (const bool onPath : { false, true })
        for (int lane = 0; lane < lanes; ++lane)
            if (m_model.lane(lane).forkedFrom != HistoryModel::kNone
                && (m_path[static_cast<std::size_t>(lane)] != HistoryModel::kNone) == onPath)
                paintFork(lane);
    for (int lane = m_lanes.from; lane <= m_lanes.to; ++lane)
        paintLaneRail(lane);
}

void TimelinePainter::paintLaneRail(int lane)
{
    const HistoryModel::Lane& found = m_model.lane(lane);
    const double y = m_geometry.laneY(lane);
    const auto xOf = [&](int index) { return m_geometry.x(m_model.mark(index)); };
    const double from = std::max(xOf(found.marks.front()), m_left - m_geometry.step);
    const double last = xOf(found.marks.back());
    const double to = std::min(last, m_right + m_geometry.step);
    const int path = pathMark(lane);
    if (from < to) {
        const double bend = path == HistoryModel::kNone ? from : std::clamp(xOf(path), from, to);
        if (bend < to)
            paintRail({ bend, y }, { to, y }, false);
        if (bend > from)
            paintRail({ from, y }, { bend, y }, true);
    }
    if (last >= m_left - m_geometry.step && last <= m_right && m_model.hasTasks(found.marks.back())) {
        const bool isLive = m_model.laneState(lane).kind == StateKind::Running;
        const double end = isLive && m_geometry.axis == TimelineAxis::Step ? kTaskTail : kBend + kRing;
        paintRail({ last, y }, { last + end * m_unit, y }, false);
    }
}

// Straight down from the parent, then a bend into the lane.
void TimelinePainter::paintFork(int lane)
{
    const HistoryModel::Lane& found = m_model.lane(lane);
    const QPointF parent = m_geometry.centre(m_model.mark(found.forkedFrom));
    const QPointF first = m_geometry.centre(m_model.mark(found.marks.front()));
    const double top = m_scene.scroll.y();
    const double bottom = top + m_scene.lanesBottom;
    if (first.x() < m_left || parent.x() > m_right || std::max(parent.y(), first.y()) < top
        || std::min(parent.y(), first.y()) > bottom)
        return;
    const bool onPath = m_path[static_cast<std::size_t>(lane)] != HistoryModel::kNone;
    const double bend = std::min(kBend * m_unit, std::max(0.0, first.x() - parent.x()));
    QPainterPath path(parent);
    path.lineTo(parent.x(), first.y() - kBend * m_unit);
    path.quadTo(parent.x(), first.y(), parent.x() + bend, first.y());
    path.lineTo(first);
    m_painter.setBrush(Qt::NoBrush);
    m_painter.setPen(onPath ? timelinePen(&Tokens::text2, 2) : timelinePen(&Tokens::strong, 1.5));
    m_painter.drawPath(path);
}

void TimelinePainter::paintSupersteps(int lane)
{
    const HistoryModel::Lane& found = m_model.lane(lane);
    const TimelineGeometry::Range seen = m_geometry.marksBetween(m_model, lane, m_left, m_right);
    const int count = static_cast<int>(found.marks.size());
    const auto at = [&](int index) { return found.marks[static_cast<std::size_t>(index)]; };
    struct Group {
        int from = 0;
        int until = 0; // exclusive
    };
    std::vector<Group> groups;
    for (int index = seen.from; index <= seen.to;) {
        const double x = m_geometry.x(m_model.mark(at(index)));
        int until = m_geometry.markBehind(m_model, lane, index + 1, x + kMarkRoom * m_unit);
        if (until - index > 9) // room for more digits
            until = m_geometry.markBehind(m_model, lane, index + 1, x + 2.4 * kMarkRoom * m_unit);
        groups.push_back({ index, until });
        index = until;
    }
    for (const Group& group : groups)
        paintTasks(at(group.until - 1),
                   group.until < count ? m_geometry.x(m_model.mark(at(group.until))) : m_right + 400);
    for (const Group& group : groups) {
        if (group.until - group.from == 1) {
            paintMark(at(group.from));
            continue;
        }
        const int first = at(group.from);
        const int last = at(group.until - 1);
        const bool isCurrent = m_scene.current != HistoryModel::kNone
            && m_model.mark(m_scene.current).lane == lane && m_scene.current >= first
            && m_scene.current <= last;
        paintGroup(m_geometry.centre(m_model.mark(first)), group.until - group.from, isCurrent,
                   m_model.hasTroubles(lane, first, last));
    }
    if (!groups.empty() && groups.back().until == count)
        paintLive(m_model.mark(found.marks.back()));
}

void TimelinePainter::paintTasks(int index, double nextX)
{
    const QPointF centre = m_geometry.centre(m_model.mark(index));
    const double end =
        std::min(nextX, m_geometry.axis == TimelineAxis::Step ? centre.x() + m_geometry.step : nextX)
        - 12 * m_unit;
    const std::vector<TaskRow> tasks = m_model.tasksOf(index, kMostShownTasks);
    for (TaskBox& box : taskBoxes(tasks, centre, m_geometry, m_scene.nowMs, m_model.mark(index).timeMs)) {
        if (!box.task && tasks.size() == kMostShownTasks)
            box.more += static_cast<int>(m_model.taskCount(index) - tasks.size());
        TaskBarPainter(m_paint).paint(box, end - box.rect.right());
    }
}

void TimelinePainter::paintLive(const HistoryModel::Mark& mark)
{
    if (m_model.laneState(mark.lane).kind != StateKind::Running)
        return;
    double x = m_geometry.x(mark) + kTaskTail * m_unit;
    if (m_geometry.axis != TimelineAxis::Step)
        x = m_geometry.first + m_geometry.scale.x(m_scene.nowMs);
    m_painter.setFont(uiFont(TextSize::Small, QFont::DemiBold));
    m_painter.setPen(color(&Tokens::running));
    m_painter.drawText(QRectF(x + 4 * m_unit, m_geometry.laneY(mark.lane) - m_geometry.lane / 2, 60 * m_unit,
                              m_geometry.lane),
                       Qt::AlignLeft | Qt::AlignVCenter, QObject::tr("live"));
}

void TimelinePainter::paintMark(int index)
{
    const HistoryModel::Mark& mark = m_model.mark(index);
    const QPointF centre = m_geometry.centre(mark);
    const Token under = index == m_scene.current ? &Tokens::base
        : mark.lane == m_viewedLane              ? &Tokens::accentTint
                                                 : &Tokens::base;
    if (index == m_scene.current) {
        m_painter.setPen(timelinePen(&Tokens::accent, m_scene.focused ? 2.5 : 2));
        m_painter.setBrush(color(&Tokens::base));
        m_painter.drawEllipse(centre, 10 * m_unit, 10 * m_unit);
    }
    if (index != m_scene.current && isEditedCopy(index)) { // one with the edits behind it
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(color(&Tokens::text2));
        m_painter.drawEllipse(centre, 2.5 * m_unit, 2.5 * m_unit);
        return;
    }
    paintRewindMark(m_painter, mark.rewind, centre, tokens().text2, tokens().*under);
}

bool TimelinePainter::isEditedCopy(int index) const
{
    if (m_model.source(index) != checkpoint::Source::Fork)
        return false;
    const HistoryModel::Mark& mark = m_model.mark(index);
    const int next = m_model.markAt(mark.lane, mark.column + 1);
    return next != HistoryModel::kNone && m_model.mark(next).parent == index
        && m_model.source(next) == checkpoint::Source::Update;
}

void TimelinePainter::paintGroup(const QPointF& at, int count, bool isCurrent, bool hasTrouble)
{
    const QFont font = uiFont(TextSize::Tiny);
    const QString words = countText(count);
    const double height = 14 * m_unit;
    const double width = std::max(height, QFontMetricsF(font).horizontalAdvance(words) + 6 * m_unit);
    const QRectF pill(at.x() - height / 2, at.y() - height / 2, width, height);
    m_painter.setPen(timelinePen(isCurrent        ? &Tokens::accent
                                     : hasTrouble ? &Tokens::failed
                                                  : &Tokens::text2,
                                 isCurrent ? 2 : 1.25));
    m_painter.setBrush(color(hasTrouble ? &Tokens::failedTint : &Tokens::base));
    m_painter.drawRoundedRect(pill, height / 2, height / 2);
    m_painter.setFont(font);
    m_painter.setPen(color(&Tokens::text));
    m_painter.drawText(pill, Qt::AlignCenter, words);
}

void TimelinePainter::paintBookmark(int index)
{
    if (index == HistoryModel::kNone)
        return;
    const QPointF centre = m_geometry.centre(m_model.mark(index));
    if (centre.x() < m_left - 20 || centre.x() > m_right + 20)
        return;
    const double side = 12 * m_unit;
    paintIcon(m_painter, QLatin1String("bookmark"),
              QRectF(centre.x() - side / 2, centre.y() - 23 * m_unit, side, side), color(&Tokens::text));
}

// Draws a flag above the point; of those that fall on one pixel, one.
void TimelinePainter::paintFound()
{
    const double side = 4 * m_unit;
    QPointF last(-1e9, -1e9);
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(color(&Tokens::warn));
    for (const int index : m_scene.tracks.found) {
        const QPointF centre = m_geometry.centre(m_model.mark(index));
        const bool isSame = std::abs(centre.x() - last.x()) < 1 && std::abs(centre.y() - last.y()) < 1;
        if (isSame || centre.x() < m_left - side || centre.x() > m_right + side)
            continue;
        last = centre;
        const double tip = centre.y() - 11 * m_unit;
        m_painter.drawPolygon(
            QPolygonF({ QPointF(centre.x() - side, tip - 1.5 * side),
                        QPointF(centre.x() + side, tip - 1.5 * side), QPointF(centre.x(), tip) }));
    }
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
            painter.setPen(timelinePen(&Tokens::border, 1));
            painter.drawLine(QPointF(x + 8 * unit, y), QPointF(x + 40 * unit, y));
        }
        QPen dotted = timelinePen(&Tokens::strong, 1);
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
