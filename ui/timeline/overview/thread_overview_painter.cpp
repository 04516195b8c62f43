#include "ui/timeline/overview/thread_overview.h"
#include "ui/timeline/timeline_painter.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/state_look.h"
#include "ui/widgets/time_format.h"

#include <QDateTime>
#include <QFontMetricsF>
#include <QLocale>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>
#include <utility>

// Paints the overview of all threads.
namespace sg::ui {

namespace {

constexpr double kTickRoom = 96;

// Returns the day if a piece begins on another day than the one before, else the time.
QString momentText(double ms, double interval, QString& day)
{
    const QDateTime time = QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(ms));
    const QString dayBefore = std::exchange(day, time.date().toString(Qt::ISODate));
    const QString clock = interval < 60'000 ? formatClock(ms) : formatClock(ms).left(5);
    return day == dayBefore ? clock : QLocale().toString(time.date(), QStringLiteral("d MMM ")) + clock;
}

} // namespace

void ThreadOverview::paintEvent(QPaintEvent*)
{
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), color(&Tokens::base));
    const bool hasRuns =
        std::ranges::any_of(m_rows, [](const OverviewRow& row) { return !row.runs.empty(); });
    if (!hasRuns) {
        TimelinePainter::paintEmpty(painter, viewport()->rect(),
                                    tr("Every run of every thread appears here, on one clock."));
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    const double height = scaledLength(32);
    const int first = std::max(0, static_cast<int>(verticalScrollBar()->value() / height));
    const int last =
        std::min(static_cast<int>(m_rows.size()) - 1,
                 static_cast<int>((verticalScrollBar()->value() + viewport()->height()) / height));
    for (int row = first; row <= last; ++row)
        paintRow(painter, row);
    for (int row = first; row <= last; ++row)
        paintHeader(painter, row);
    paintRuler(painter);
}

void ThreadOverview::paintRow(QPainter& painter, int row) const
{
    const double header = scaledLength(208);
    const double height = scaledLength(32);
    const double top = scaledLength(28) + row * height - verticalScrollBar()->value();
    const QRectF room(header, top, viewport()->width() - header, height);
    painter.save();
    painter.setClipRect(room);
    if (m_rows[static_cast<std::size_t>(row)].thread == m_current)
        painter.fillRect(room, color(&Tokens::accentTint));
    for (const TimeScale::Fold& fold : m_scale.folds()) {
        const double x = std::round(header + 12 + fold.x - horizontalScrollBar()->value());
        painter.fillRect(QRectF(x + 2, top, TimeScale::kFoldWidth - 4, height), color(&Tokens::neutralTint));
    }
    painter.fillRect(QRectF(room.left(), room.bottom() - 1, room.width(), 1), color(&Tokens::subtle));
    paintRuns(painter, row);
    painter.restore();
}

void ThreadOverview::paintRuns(QPainter& painter, int row) const
{
    const OverviewRow& thread = m_rows[static_cast<std::size_t>(row)];
    const double height = scaledLength(32);
    const double top = scaledLength(28) + row * height - verticalScrollBar()->value();
    const double session = std::round(top + height * 0.76) + 0.5;
    for (const SessionSpan& span : thread.sessions) {
        const double from = viewX(span.fromMs);
        const double to = viewX(std::isnan(span.toMs) ? m_nowMs : span.toMs);
        painter.setPen(timelinePen(&Tokens::strong, 2));
        painter.drawLine(QPointF(from, session), QPointF(std::max(from + 2, to), session));
        painter.setPen(timelinePen(&Tokens::strong, 1));
        painter.drawLine(QPointF(from, session - 3), QPointF(from, session + 3));
    }
    double painted = -1e9; // bars of the same pixel are one
    for (const RunSpan& run : thread.runs) {
        const QRectF bar = barOf(row, run);
        if (bar.right() < scaledLength(208) || bar.left() > viewport()->width())
            continue;
        const StateKind kind = stateOf(run.status);
        const bool loud = isLoud(kind);
        if (bar.right() <= painted && !loud)
            continue;
        painted = bar.right();
        painter.setPen(timelinePen(loud ? stateToken(kind) : &Tokens::border, 1));
        painter.setBrush(color(loud ? stateTint(kind) : &Tokens::neutralTint));
        if (bar.width() >= 8)
            painter.drawRoundedRect(bar.adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
        painter.fillRect(QRectF(bar.left(), bar.top(), std::min(3.0, bar.width()), bar.height()),
                         color(stateToken(kind)));
    }
}

void ThreadOverview::paintHeader(QPainter& painter, int row) const
{
    const OverviewRow& thread = m_rows[static_cast<std::size_t>(row)];
    const double width = scaledLength(208);
    const double height = scaledLength(32);
    const double top = scaledLength(28) + row * height - verticalScrollBar()->value();
    const bool isCurrent = thread.thread == m_current;
    const Token fill = isCurrent ? &Tokens::selection : &Tokens::window;
    painter.fillRect(QRectF(0, top, width - 1, height), color(fill));
    painter.fillRect(QRectF(0, top + height - 1, width, 1), color(&Tokens::subtle));
    painter.fillRect(QRectF(width - 1, top, 1, height), color(&Tokens::border));
    const double side = scaledLength(16);
    paintStateGlyph(painter, stateOf(thread.status),
                    QRectF(scaledLength(12), top + (height - side) / 2, side, side), tokens().*fill);
    const QRectF room(scaledLength(36), top, width - scaledLength(48), height);
    const QString note = thread.runs.size() == 1 ? tr("1 run") : tr("%1 runs").arg(thread.runs.size());
    const QFont small = uiFont(TextSize::Small);
    painter.setFont(small);
    painter.setPen(color(isCurrent ? &Tokens::text2 : &Tokens::muted));
    painter.drawText(room, Qt::AlignRight | Qt::AlignVCenter, note);
    const QFont font = uiFont(TextSize::Dense, isCurrent ? QFont::DemiBold : QFont::Normal);
    painter.setFont(font);
    painter.setPen(color(&Tokens::text));
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetricsF(font).elidedText(
                         labelOf(thread), Qt::ElideRight,
                         room.width() - QFontMetricsF(small).horizontalAdvance(note) - scaledLength(8)));
    if (isCurrent && hasFocus()) {
        painter.setPen(timelinePen(&Tokens::accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(0.5, top + 0.5, width - 2, height - 2));
    }
}

void ThreadOverview::paintRuler(QPainter& painter) const
{
    const double header = scaledLength(208);
    const double height = scaledLength(28);
    painter.fillRect(QRectF(0, 0, viewport()->width(), height), color(&Tokens::window));
    painter.setFont(uiFont(TextSize::Small));
    painter.setPen(color(&Tokens::muted));
    painter.drawText(QRectF(scaledLength(12), 0, header - scaledLength(24), height),
                     Qt::AlignLeft | Qt::AlignVCenter, tr("Threads, newest first"));
    painter.save();
    painter.setClipRect(QRectF(header, 0, viewport()->width() - header, height));
    const double room = scaledLength(kTickRoom);
    const double interval = roundInterval(room / std::max(1e-12, m_scale.pixelsPerMs()));
    double free = header;
    QString day;
    for (const TimeScale::Piece& piece : m_scale.pieces())
        for (double ms = piece.fromMs; ms <= piece.toMs; ms = (std::floor(ms / interval) + 1) * interval) {
            const double x = std::round(viewX(ms));
            if (x > viewport()->width())
                break;
            if (x < free)
                continue;
            const QString words = momentText(ms, interval, day);
            painter.setPen(color(&Tokens::muted));
            painter.fillRect(QRectF(x, height - 6, 1, 6), color(&Tokens::strong));
            painter.drawText(QRectF(x + 4, 0, 2 * room, height - 2), Qt::AlignLeft | Qt::AlignVCenter, words);
            free = x + QFontMetricsF(painter.font()).horizontalAdvance(words) + scaledLength(16);
        }
    painter.restore();
    painter.fillRect(QRectF(0, height - 1, viewport()->width(), 1), color(&Tokens::border));
    painter.fillRect(QRectF(header - 1, 0, 1, height), color(&Tokens::border));
}

} // namespace sg::ui
