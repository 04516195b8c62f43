#include "ui/timeline/task_bar_painter.h"

#include "ui/selection/checkpoint_words.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/state_look.h"
#include "ui/widgets/time_format.h"

#include <QFontMetricsF>
#include <QObject>
#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <cmath>

namespace sg::ui {

void TaskBarPainter::paint(const TaskBox& box, double spaceRight)
{
    const bool stacked = box.rect.height() < 16 * m_unit;
    const QFont font = uiFont(stacked ? TextSize::Tiny : TextSize::Small);
    if (!box.task) {
        m_painter.setFont(font);
        m_painter.setPen(color(&Tokens::muted));
        m_painter.drawText(box.rect, Qt::AlignLeft | Qt::AlignVCenter, QStringLiteral("+%1").arg(box.more));
        return;
    }
    const StateKind kind = stateOf(box.task->outcome);
    const bool loud = isLoud(kind);
    const Token tint = loud         ? stateTint(kind)
        : kind == StateKind::Cached ? &Tokens::base
                                    : &Tokens::neutralTint;
    const Token ink = stateToken(kind);
    if (box.rect.width() < 8 * m_unit) { // of a moment: the edge is all there is room for
        paintBeside(box, false);
        m_painter.fillRect(box.rect, color(loud || kind == StateKind::Done ? ink : &Tokens::strong));
        if (spaceRight > 40 * m_unit)
            paintText(box,
                      QRectF(box.rect.right() + 4 * m_unit, box.rect.top(), spaceRight - 8 * m_unit,
                             box.rect.height()),
                      font);
        return;
    }
    const QRectF frame = box.rect.adjusted(0.5, 0.5, -0.5, -0.5);
    QPen edge = timelinePen(loud ? ink : &Tokens::border, 1);
    if (kind == StateKind::Paused)
        edge.setDashPattern({ 8, 4 });
    m_painter.setPen(edge);
    m_painter.setBrush(color(tint));
    m_painter.drawRoundedRect(frame, 2, 2);
    if (kind == StateKind::Cached)
        m_painter.fillRect(QRectF(box.rect.left() + 3, box.rect.top() + 1, 1, box.rect.height() - 2),
                           color(ink));
    else
        m_painter.fillRect(QRectF(box.rect.left(), box.rect.top(), 3, box.rect.height()), color(ink));
    double left = box.rect.left() + 8 * m_unit;
    if (loud && box.rect.width() > 20 * m_unit) {
        const double side = (stacked ? 10 : 12) * m_unit;
        const QRectF glyph(box.rect.left() + 6 * m_unit, box.rect.center().y() - side / 2, side, side);
        paintStateGlyph(m_painter, kind, glyph, tokens().*tint);
        left = glyph.right() + 4 * m_unit;
    }
    left += paintAttemptsInside(box, left);
    const QRectF inside(left, box.rect.top(), box.rect.right() - left - 3, box.rect.height());
    const double wanted = QFontMetricsF(font).horizontalAdvance(taskName(box.task->node));
    const bool beside = wanted > inside.width() && spaceRight > inside.width() + 8;
    paintBeside(box, !beside);
    paintText(box,
              beside
                  ? QRectF(box.rect.right() + 6 * m_unit, box.rect.top(), spaceRight - 6, box.rect.height())
                  : inside,
              font);
}

// Thin lines: it could have run, or waited for the others.
void TaskBarPainter::paintBeside(const TaskBox& box, bool withWaiting)
{
    const double y = std::round(box.rect.center().y()) + 0.5;
    const double before = std::isnan(box.triedFrom) ? box.rect.left() : box.triedFrom;
    QPen dotted = timelinePen(&Tokens::strong, 1.5);
    dotted.setDashPattern({ 1, 2 });
    m_painter.setPen(dotted);
    if (!std::isnan(box.queuedFrom))
        m_painter.drawLine(QPointF(box.queuedFrom, y), QPointF(before - 1, y));
    if (withWaiting && !std::isnan(box.waitedTo)) { // else its name stands there
        m_painter.setPen(timelinePen(&Tokens::border, 1.5));
        m_painter.drawLine(QPointF(box.rect.right() + 1, y), QPointF(box.waitedTo, y));
        m_painter.drawLine(QPointF(box.waitedTo, y - 3 * m_unit), QPointF(box.waitedTo, y + 3 * m_unit));
    }
    paintFailedAttempts(box);
}

namespace {

constexpr double kAttempt = 10; // side of its mark

int failedAttempts(const TaskBox& box)
{
    return box.task->wasAsked ? 0 : std::max(0, box.task->attempts - 1);
}

// An octagon, as the glyph of a failure has it.
void paintAttempt(QPainter& painter, const QRectF& place)
{
    const double cut = place.width() * 0.29;
    painter.drawPolygon(QPolygonF{ { place.left() + cut, place.top() },
                                   { place.right() - cut, place.top() },
                                   { place.right(), place.top() + cut },
                                   { place.right(), place.bottom() - cut },
                                   { place.right() - cut, place.bottom() },
                                   { place.left() + cut, place.bottom() },
                                   { place.left(), place.bottom() - cut },
                                   { place.left(), place.top() + cut } });
}

} // namespace

// Marks the failed attempts at the bar's left where no time is known that they took; the checkpoint's dot is
// before the bar. Returns the room that they take.
double TaskBarPainter::paintAttemptsInside(const TaskBox& box, double left)
{
    const int failed = failedAttempts(box);
    if (failed < 1 || hasRoomBefore(box))
        return 0;
    const double side = std::min(kAttempt * m_unit, box.rect.height() - 4);
    const double end = std::max(left + side, box.rect.center().x());
    m_painter.setPen(timelinePen(&Tokens::failed, 1.3));
    m_painter.setBrush(color(&Tokens::base));
    double at = left;
    for (int mark = 0; mark < failed && at + side <= end + 0.5; ++mark) {
        paintAttempt(m_painter, { at, box.rect.center().y() - side / 2, side, side });
        at += side + m_unit;
    }
    return at - left + 2 * m_unit;
}

// Tells whether a mark fits between where the first attempt began and the bar.
bool TaskBarPainter::hasRoomBefore(const TaskBox& box) const
{
    return box.rect.left() - box.triedFrom >= kAttempt * m_unit; // no number: no
}

// A grey bar for the time that they took, with an outline for each at its end.
void TaskBarPainter::paintFailedAttempts(const TaskBox& box)
{
    const int failed = failedAttempts(box);
    if (failed < 1)
        return;
    const bool isNarrow = box.rect.width() < 8 * m_unit; // it has no room inside
    const double side = kAttempt * m_unit;
    const double from = std::isnan(box.triedFrom) ? box.rect.left() : box.triedFrom;
    const QRectF tried(from, box.rect.top(), box.rect.left() - from, box.rect.height());
    if (tried.width() > 0) {
        m_painter.setPen(Qt::NoPen);
        m_painter.setBrush(color(&Tokens::neutralTint));
        m_painter.drawRoundedRect(tried, 2, 2);
    }
    m_painter.setPen(timelinePen(&Tokens::failed, 1.3));
    m_painter.setBrush(color(&Tokens::base));
    double right = box.rect.left() - 1;
    for (int mark = 0; mark < failed && (right - side >= from || (isNarrow && mark == 0)); ++mark) {
        paintAttempt(m_painter, { right - side, box.rect.center().y() - side / 2, side, side });
        right -= side + m_unit;
    }
}

void TaskBarPainter::paintText(const TaskBox& box, const QRectF& room, const QFont& font)
{
    if (room.width() < 10 * m_unit)
        return;
    const QFontMetricsF metrics(font);
    const QString whole = taskName(box.task->node);
    const QString name = metrics.elidedText(whole, Qt::ElideRight, room.width());
    if (name.size() < 3 && name != whole)
        return; // dots alone tell nothing
    m_painter.setFont(font);
    const auto put = [&](const QRectF& place, Token ink, const QString& words) {
        if (!box.rect.contains(place.center())) { // else the lane's rail would strike it through
            const QRectF plate(place.left() - 1, place.center().y() - 2 * m_unit,
                               metrics.horizontalAdvance(words) + 1 + 5 * m_unit, 4 * m_unit);
            const bool isViewed =
                m_geometry.laneAt(place.center().y(), static_cast<int>(m_model.lanes().size()))
                == m_paint.viewedLane;
            m_painter.fillRect(plate, color(isViewed ? &Tokens::accentTint : &Tokens::base));
        }
        m_painter.setPen(color(ink));
        m_painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, words);
    };
    put(room, &Tokens::text, name);
    const StateKind kind = stateOf(box.task->outcome);
    const double seconds = taskSeconds(*box.task, m_scene.nowMs);
    QString note = kind == StateKind::Cached                ? QObject::tr("reused")
        : kind == StateKind::Paused                         ? QObject::tr("paused")
        : std::isnan(seconds) || kind == StateKind::Waiting ? QString()
                                                            : formatDuration(seconds);
    if (box.task->attempts > 1)
        note += QObject::tr(", try %1").arg(box.task->attempts);
    const double used = metrics.horizontalAdvance(name) + 5 * m_unit;
    if (note.isEmpty() || used + metrics.horizontalAdvance(note) > room.width())
        return;
    put(room.adjusted(used, 0, 0, 0),
        kind == StateKind::Failed || kind == StateKind::Running ? &Tokens::text2 : &Tokens::muted, note);
}

} // namespace sg::ui
