#include "ui/widgets/state_look.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPainterPath>

#include <initializer_list>

namespace sg::ui {

namespace {

QPen roundPen(QRgb ink, double width)
{
    return { QColor(ink), width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin };
}

QPolygonF points(std::initializer_list<QPointF> list)
{
    return QPolygonF(QList<QPointF>(list));
}

void paintQueued(QPainter& painter, QRgb ink)
{
    QPen pen = roundPen(ink, 1.8);
    pen.setDashPattern({ 0.1 / 1.8, 3.56 / 1.8 });
    painter.setPen(pen);
    painter.drawEllipse(QPointF(10, 10), 7, 7);
}

void paintRunning(QPainter& painter, QRgb ink, double turn)
{
    QColor faint(ink);
    faint.setAlphaF(0.28F);
    painter.setPen(QPen(faint, 2));
    painter.drawEllipse(QPointF(10, 10), 7.5, 7.5);
    painter.setPen(roundPen(ink, 2.2));
    const int start = 90 * 16 - static_cast<int>(turn * 360 * 16);
    painter.drawArc(QRectF(2.5, 2.5, 15, 15), start, -120 * 16);
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(ink));
    painter.drawPolygon(points({ { 8, 6.6 }, { 8, 13.4 }, { 13.4, 10 } }));
}

void paintFailed(QPainter& painter, QRgb ink, QRgb background)
{
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(ink));
    painter.drawPolygon(points({ { 6.7, 2 },
                                 { 13.3, 2 },
                                 { 18, 6.7 },
                                 { 18, 13.3 },
                                 { 13.3, 18 },
                                 { 6.7, 18 },
                                 { 2, 13.3 },
                                 { 2, 6.7 } }));
    painter.setPen(roundPen(background, 2));
    painter.drawLine(QPointF(7, 7), QPointF(13, 13));
    painter.drawLine(QPointF(13, 7), QPointF(7, 13));
}

void paintWaiting(QPainter& painter, QRgb ink, QRgb background)
{
    QPainterPath bubble;
    bubble.addRoundedRect(QRectF(2, 2.5, 16, 12), 2, 2);
    QPainterPath tail;
    tail.addPolygon(points({ { 6, 14 }, { 6, 18 }, { 9.5, 14.5 }, { 9.5, 14 } }));
    tail.closeSubpath();
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(ink));
    painter.drawPath(bubble.united(tail));
    painter.setPen(roundPen(background, 2));
    painter.drawLine(QPointF(8, 5.8), QPointF(8, 11.2));
    painter.drawLine(QPointF(12, 5.8), QPointF(12, 11.2));
}

void paintPaused(QPainter& painter, QRgb ink)
{
    painter.setPen(QPen(QColor(ink), 1.4));
    painter.drawEllipse(QPointF(10, 10), 7.5, 7.5);
    painter.setPen(roundPen(ink, 2));
    painter.drawLine(QPointF(8, 7), QPointF(8, 13));
    painter.drawLine(QPointF(12, 7), QPointF(12, 13));
}

void paintCached(QPainter& painter, QRgb ink)
{
    painter.setPen(QPen(QColor(ink), 1.4));
    painter.drawRoundedRect(QRectF(3, 3, 14, 14), 2, 2);
    painter.setPen(roundPen(ink, 1.9));
    painter.drawPolyline(points({ { 6.3, 10.3 }, { 9, 13 }, { 13.8, 7.5 } }));
}

void paintPartial(QPainter& painter, QRgb ink, QRgb background)
{
    painter.setPen(QPen(QColor(ink), 1.4));
    painter.drawEllipse(QPointF(10, 10), 7.5, 7.5);
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(ink));
    painter.drawPie(QRectF(2.5, 2.5, 15, 15), 90 * 16, 180 * 16);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(roundPen(ink, 1.8));
    painter.drawPolyline(points({ { 9.1, 12.9 }, { 13.7, 7.7 } }));
    painter.setPen(roundPen(background, 1.8));
    painter.drawPolyline(points({ { 6.5, 10.3 }, { 9.1, 12.9 }, { 10, 11.9 } }));
}

QString tr(const char* text)
{
    return QCoreApplication::translate("StateLook", text);
}

} // namespace

Token stateToken(StateKind kind)
{
    switch (kind) {
    case StateKind::Idle:
    case StateKind::Queued:
    case StateKind::Skipped:
    case StateKind::Stopped: return &Tokens::neutral;
    case StateKind::Running: return &Tokens::running;
    case StateKind::Done:
    case StateKind::Cached:
    case StateKind::Partial: return &Tokens::done;
    case StateKind::Failed: return &Tokens::failed;
    case StateKind::Waiting:
    case StateKind::Paused: return &Tokens::waiting;
    }
    return &Tokens::neutral;
}

Token stateTint(StateKind kind)
{
    switch (kind) {
    case StateKind::Running: return &Tokens::runningTint;
    case StateKind::Failed: return &Tokens::failedTint;
    case StateKind::Waiting:
    case StateKind::Paused: return &Tokens::waitingTint;
    case StateKind::Idle:
    case StateKind::Queued:
    case StateKind::Skipped:
    case StateKind::Stopped:
    case StateKind::Done:
    case StateKind::Cached:
    case StateKind::Partial: return &Tokens::neutralTint;
    }
    return &Tokens::neutralTint;
}

QString stateWord(StateKind kind)
{
    switch (kind) {
    case StateKind::Idle: return tr("Not run yet");
    case StateKind::Queued: return tr("Queued");
    case StateKind::Running: return tr("Running");
    case StateKind::Done: return tr("Done");
    case StateKind::Failed: return tr("Failed");
    case StateKind::Waiting: return tr("Waiting for you");
    case StateKind::Paused: return tr("Paused");
    case StateKind::Skipped: return tr("Skipped");
    case StateKind::Stopped: return tr("Stopped");
    case StateKind::Cached: return tr("Reused");
    case StateKind::Partial: return tr("Done in part");
    }
    return {};
}

bool isLoud(StateKind kind)
{
    return kind == StateKind::Running || kind == StateKind::Failed || kind == StateKind::Waiting
        || kind == StateKind::Paused;
}

bool isQuiet(StateKind kind)
{
    return kind == StateKind::Idle || kind == StateKind::Queued || kind == StateKind::Skipped
        || kind == StateKind::Stopped;
}

StateKind stateOf(RunStatus status)
{
    switch (status) {
    case RunStatus::Unknown: break;
    case RunStatus::Running: return StateKind::Running;
    case RunStatus::Done: return StateKind::Done;
    case RunStatus::Interrupted: return StateKind::Waiting;
    case RunStatus::Failed:
    case RunStatus::RecursionLimit:
    case RunStatus::Damaged: return StateKind::Failed;
    case RunStatus::Stopped: return StateKind::Stopped;
    case RunStatus::Unfinished: return StateKind::Queued;
    }
    return StateKind::Idle;
}

StateKind stateOf(TaskOutcome outcome)
{
    switch (outcome) {
    case TaskOutcome::Unknown: break;
    case TaskOutcome::Running: return StateKind::Running;
    case TaskOutcome::Done: return StateKind::Done;
    case TaskOutcome::Cached: return StateKind::Cached;
    case TaskOutcome::Failed: return StateKind::Failed;
    case TaskOutcome::Interrupted: return StateKind::Waiting;
    case TaskOutcome::Stopped: return StateKind::Stopped;
    case TaskOutcome::Paused: return StateKind::Paused;
    case TaskOutcome::Pending: return StateKind::Queued;
    }
    return StateKind::Idle;
}

void paintStateGlyph(QPainter& painter, StateKind kind, const QRectF& rect, QRgb background, double turn)
{
    const QRgb ink = tokens().*stateToken(kind);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(rect.topLeft());
    painter.scale(rect.width() / 20, rect.height() / 20);
    painter.setBrush(Qt::NoBrush);
    switch (kind) {
    case StateKind::Idle: break;
    case StateKind::Queued: paintQueued(painter, ink); break;
    case StateKind::Running: paintRunning(painter, ink, turn); break;
    case StateKind::Done:
        painter.setPen(roundPen(ink, 2.4));
        painter.drawPolyline(points({ { 4, 10.5 }, { 8, 14.5 }, { 16, 6 } }));
        break;
    case StateKind::Failed: paintFailed(painter, ink, background); break;
    case StateKind::Waiting: paintWaiting(painter, ink, background); break;
    case StateKind::Paused: paintPaused(painter, ink); break;
    case StateKind::Stopped:
        painter.setPen(QPen(QColor(ink), 1.4));
        painter.drawEllipse(QPointF(10, 10), 7.5, 7.5);
        painter.setPen(Qt::NoPen);
        painter.setBrush(QColor(ink));
        painter.drawRect(QRectF(7, 7, 6, 6));
        break;
    case StateKind::Skipped:
        painter.setPen(roundPen(ink, 2.4));
        painter.drawLine(QPointF(5, 10), QPointF(15, 10));
        break;
    case StateKind::Cached: paintCached(painter, ink); break;
    case StateKind::Partial: paintPartial(painter, ink, background); break;
    }
    painter.restore();
}

void paintRewindMark(QPainter& painter, Rewind rewind, const QPointF& centre, QRgb ink, QRgb background)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(QColor(ink), 1.5));
    painter.setBrush(QColor(background));
    painter.drawEllipse(centre, 6, 6);
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(ink));
    const QRectF inner(centre.x() - 3.5, centre.y() - 3.5, 7, 7);
    if (rewind == Rewind::Exact)
        painter.drawEllipse(inner);
    else if (rewind == Rewind::Restored)
        painter.drawPie(inner, 90 * 16, 180 * 16);
    painter.restore();
}

} // namespace sg::ui
