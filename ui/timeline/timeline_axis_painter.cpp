#include "ui/selection/checkpoint_words.h"
#include "ui/selection/history_window.h"
#include "ui/timeline/nested_run_painter.h"
#include "ui/timeline/planned_branch_painter.h"
#include "ui/timeline/timeline_painter.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/state_look.h"
#include "ui/widgets/time_format.h"

#include <QFontMetricsF>
#include <QObject>
#include <QPainter>

#include <algorithm>
#include <cmath>

// Paints what stands still while the content scrolls: lane headers, ruler, cursor.
namespace sg::ui {

void TimelinePainter::paintHeaders()
{
    const double width = m_geometry.header;
    m_painter.save();
    const QRectF column(0, m_geometry.ruler, width, m_scene.lanesBottom - m_geometry.ruler);
    m_painter.fillRect(column, color(&Tokens::window));
    m_painter.setClipRect(column);
    for (int lane = m_lanes.from; lane <= m_lanes.to; ++lane)
        paintHeader(lane, m_geometry.ruler + m_geometry.laneTop(lane) - m_scene.scroll.y());
    if (m_paint.planned != HistoryModel::kNone)
        PlannedBranchPainter(m_paint).paintHeader();
    m_painter.restore();
    m_painter.fillRect(QRectF(width - 1, 0, 1, m_scene.size.height()), color(&Tokens::border));
}

void TimelinePainter::paintHeader(int lane, double top)
{
    const bool viewed = lane == m_viewedLane;
    const Token fill = viewed ? &Tokens::selection : &Tokens::window;
    const double right = m_geometry.header - 12 * m_unit;
    const double height = m_geometry.laneHeight(lane);
    m_painter.fillRect(QRectF(0, top, m_geometry.header, height - 1), color(fill));
    m_painter.fillRect(QRectF(0, top + height - 1, m_geometry.header, 1), color(&Tokens::subtle));
    const HistoryModel::LaneState state = m_model.laneState(lane);
    const double side = 16 * m_unit;
    paintStateGlyph(m_painter, state.kind,
                    QRectF(12 * m_unit, top + (m_geometry.lane - side) / 2, side, side), tokens().*fill);

    const QFont nameFont = uiFont(TextSize::Dense, QFont::DemiBold);
    const QFont noteFont = uiFont(TextSize::Small);
    const double left = 36 * m_unit;
    const QRectF first(left, top + 10 * m_unit, right - left, 16 * m_unit);
    const double foldMark = m_scene.nestedRows.empty() ? 0 : 16 * m_unit;
    const QRectF second(left, top + 26 * m_unit, right - left - foldMark, 16 * m_unit);
    const bool isHead = m_model.head() != HistoryModel::kNone && m_model.mark(m_model.head()).lane == lane;
    const QString badge = viewed && !m_scene.atHead ? QObject::tr("viewing")
        : isHead                                    ? QObject::tr("head")
                                                    : QString();
    m_painter.setFont(noteFont);
    m_painter.setPen(color(viewed ? &Tokens::text2 : &Tokens::muted));
    m_painter.drawText(first, Qt::AlignRight | Qt::AlignVCenter, badge);
    QString note = state.words;
    if (m_model.lane(lane).forkedFrom != HistoryModel::kNone)
        note = QObject::tr("from %1: %2")
                   .arg(stepText(m_model.forkedStep(lane)), note.left(1).toLower() + note.mid(1));
    m_painter.drawText(second, Qt::AlignLeft | Qt::AlignVCenter,
                       QFontMetricsF(noteFont).elidedText(note, Qt::ElideRight, second.width()));
    NestedRunPainter(m_paint).paintFoldMark(lane, top);
    m_painter.setFont(nameFont);
    m_painter.setPen(color(&Tokens::text));
    const QString name = lane == 0 ? QObject::tr("main") : QObject::tr("Branch %1").arg(lane + 1);
    m_painter.drawText(first, Qt::AlignLeft | Qt::AlignVCenter, name);
}

void TimelinePainter::paintRuler()
{
    const double height = m_geometry.ruler;
    m_painter.fillRect(QRectF(0, 0, m_scene.size.width(), height), color(&Tokens::window));
    m_painter.setFont(uiFont(TextSize::Small));
    m_painter.save();
    m_painter.setClipRect(QRectF(m_geometry.header, 0, m_scene.size.width(), height));
    const double origin = m_geometry.header - m_scene.scroll.x();
    const double room = 60 * m_unit;
    for (const TimelineTick& tick : ticksBetween(m_model, m_geometry, m_left, m_right)) {
        const double x = std::round(origin + tick.x);
        m_painter.fillRect(QRectF(x, height - 6 * m_unit, 1, 6 * m_unit), color(&Tokens::strong));
        m_painter.setPen(color(&Tokens::muted));
        m_painter.drawText(QRectF(x - room, 0, 2 * room + 1, height - 6 * m_unit), Qt::AlignCenter,
                           tick.text);
    }
    m_painter.restore();
    paintAxisTitle();
    m_painter.fillRect(QRectF(0, height - 1, m_scene.size.width(), 1), color(&Tokens::border));
}

void TimelinePainter::paintAxisTitle()
{
    const double height = m_geometry.ruler;
    m_painter.fillRect(QRectF(0, 0, m_geometry.header - 1, height), color(&Tokens::window));
    m_painter.setPen(color(&Tokens::muted));
    const QRectF title(12 * m_unit, 0, m_geometry.header - 24 * m_unit, height);
    m_painter.drawText(title, Qt::AlignLeft | Qt::AlignVCenter,
                       m_geometry.axis == TimelineAxis::Step ? QObject::tr("Step") : QObject::tr("Clock"));
    if (m_model.isEmpty())
        return;
    const QString from = formatClock(m_model.marks().front().timeMs).left(5);
    const QString to =
        m_model.isRunning() ? QObject::tr("now") : formatClock(m_model.marks().back().timeMs).left(5);
    const auto folds = m_geometry.scale.folds().size();
    m_painter.drawText(title, Qt::AlignRight | Qt::AlignVCenter,
                       m_geometry.axis == TimelineAxis::Folded && folds > 0 ? QObject::tr("gaps folded")
                           : from == to                                     ? from
                                        : QStringLiteral("%1 – %2").arg(from, to));
}

QString TimelinePainter::cursorWords(const HistoryModel::Mark& mark) const
{
    const bool isBehind = !std::isnan(m_scene.momentMs);
    if (m_geometry.axis != TimelineAxis::Step)
        return isBehind ? formatClockMs(m_scene.momentMs) : formatClock(mark.timeMs);
    if (!isBehind)
        return stepText(mark.step);
    return QStringLiteral("%1 + %2").arg(
        stepText(mark.step), formatDuration(secondsInto(m_model, m_scene.current, m_scene.momentMs)));
}

void TimelinePainter::paintCursor()
{
    if (m_scene.current == HistoryModel::kNone)
        return;
    const HistoryModel::Mark& mark = m_model.mark(m_scene.current);
    const bool isBehind = !std::isnan(m_scene.momentMs);
    const double at = isBehind ? m_geometry.timeX(m_model, mark.lane, m_scene.momentMs) : m_geometry.x(mark);
    const double x = std::round(m_geometry.header + at - m_scene.scroll.x()) + 0.5;
    m_painter.save();
    m_painter.setClipRect(QRectF(m_geometry.header, 0, m_scene.size.width(), m_scene.size.height()));
    const double ring = m_geometry.ruler + m_geometry.laneY(mark.lane) - m_scene.scroll.y();
    const double lanes = m_geometry.ruler + m_paint.lanesEnd() - m_scene.scroll.y();
    const bool hasStrip = m_scene.lanesBottom < m_scene.size.height();
    const double bottom = hasStrip ? m_scene.size.height() : std::min(m_scene.size.height(), lanes);
    const double clear = isBehind ? 0 : 10 * m_unit; // the line passes behind the selected dot
    m_painter.setPen(QPen(color(&Tokens::accent), 1.5, Qt::SolidLine, Qt::FlatCap));
    const double top = 22 * m_unit;
    m_painter.drawLine(QPointF(x, top), QPointF(x, std::max(top, ring - clear)));
    if (ring + clear < bottom)
        m_painter.drawLine(QPointF(x, std::max(top, ring + clear)), QPointF(x, bottom));
    const QFont font = uiFont(TextSize::Small, QFont::DemiBold);
    const QString words = cursorWords(mark);
    const double width = std::max(58 * m_unit, QFontMetricsF(font).horizontalAdvance(words) + 16 * m_unit);
    const QRectF flag(std::round(x - width / 2), 4 * m_unit, width, 18 * m_unit);
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(color(&Tokens::accent));
    m_painter.drawRoundedRect(flag, 3, 3);
    m_painter.drawPolygon(QPolygonF({ { x - 4 * m_unit, flag.bottom() },
                                      { x + 4 * m_unit, flag.bottom() },
                                      { x, flag.bottom() + 5 * m_unit } }));
    m_painter.setFont(font);
    m_painter.setPen(color(&Tokens::onAccent));
    m_painter.drawText(flag, Qt::AlignCenter, words);
    m_painter.restore();
}

} // namespace sg::ui
