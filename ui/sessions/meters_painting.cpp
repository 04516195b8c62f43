#include "ui/sessions/meters_view.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/time_format.h"

#include <QFontMetricsF>
#include <QImage>
#include <QPainter>
#include <QPainterPath>
#include <QVarLengthArray>

#include <algorithm>
#include <cmath>

// Painting of the meters.
namespace sg::ui {

namespace {

Token edgeOf(TaskOutcome outcome)
{
    return outcome == TaskOutcome::Failed     ? &Tokens::failed
        : outcome == TaskOutcome::Running     ? &Tokens::running
        : outcome == TaskOutcome::Interrupted ? &Tokens::waiting
        : outcome == TaskOutcome::Done        ? &Tokens::done
                                              : &Tokens::neutral;
}

constexpr double kWholeBlock = 58; // px: name, value and limit, one below the other

} // namespace

// Fills muted bands; between touching bands only the edge of the later one shows.
void MetersView::paintBands(QPainter& painter, const QRectF& plot) const
{
    for (const TaskRow& task : m_tasks)
        if (const QRectF band = bandOf(task, plot); !band.isEmpty())
            painter.fillRect(band, color(&Tokens::alt));
}

void MetersView::paintTaskNames(QPainter& painter) const
{
    const QRectF plot = frameOf(0).plot;
    const double head = headHeight();
    const QFont font = uiFont(TextSize::Small);
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    painter.setPen(color(&Tokens::muted));
    painter.drawText(QRectF(12, 0, plot.left() - 16, head), Qt::AlignLeft | Qt::AlignVCenter, tr("Nodes"));
    double free = plot.left(); // names of tasks that ran at the same time may be dropped
    for (const TaskRow& task : m_tasks) {
        const QRectF band = bandOf(task, plot);
        if (band.isEmpty())
            continue;
        painter.fillRect(QRectF(band.left(), 3, 3, head - 6), color(edgeOf(task.outcome)));
        const double left = band.left() + 7;
        const double room = std::max(band.right(), left) - left;
        if (left < free || room < 3 * metrics.averageCharWidth())
            continue;
        const QString name = metrics.elidedText(task.node, Qt::ElideRight, room);
        painter.setPen(color(&Tokens::text2));
        painter.drawText(QRectF(left, 0, room, head), Qt::AlignLeft | Qt::AlignVCenter, name);
        free = left + metrics.horizontalAdvance(name) + 8;
    }
    painter.fillRect(QRectF(0, head - 1, width(), 1), color(&Tokens::subtle));
}

void MetersView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), color(&Tokens::base));
    if (headHeight() > 0)
        paintTaskNames(painter);
    for (int index = 0; index < kMeterCount; ++index) {
        const Frame frame = frameOf(index);
        if (!isStacked() && index > 0)
            painter.fillRect(QRectF(frame.plot.left() - 12, 0, 1, height()), color(&Tokens::subtle));
        paintMeter(painter, kMeters[index], frame);
        if (isStacked())
            painter.fillRect(QRectF(0, frame.plot.bottom() + 7, width(), 1), color(&Tokens::subtle));
        if (!isStacked() || index == kMeterCount - 1)
            paintTimes(painter, frame.plot);
    }
    if (isStacked())
        painter.fillRect(QRectF(frameOf(0).plot.left() - 1, 0, 1, frameOf(kMeterCount - 1).plot.bottom() + 7),
                         color(&Tokens::border));
    if (hasFocus()) {
        painter.setPen(color(&Tokens::accent));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

void MetersView::paintMeter(QPainter& painter, Meter meter, const Frame& frame)
{
    const MeterReading reading = readMeter(meter, m_session, m_history);
    paintWords(painter, reading, frame.words);
    const double from = endMs() - spanMs();
    MeterColumns& columns = m_columns[static_cast<std::size_t>(meter)];
    const bool dense = isDense(frame.plot);
    if (dense)
        columns.update(meter, m_history, spanMs() / std::floor(frame.plot.width()), spanMs());
    const double peak = dense ? columns.peak() : meterPeak(meter, m_history, from);
    const double top = meterTop(meter, peak, reading.limitValue);
    painter.save();
    painter.setClipRect(frame.plot.adjusted(0, -2, 1, 1));
    paintBands(painter, frame.plot);
    if (dense)
        paintDense(painter, columns, frame.plot, top);
    else
        paintCourse(painter, meter, frame.plot, top);
    paintLimit(painter, reading, frame.plot, top);
    paintMarks(painter, frame.plot, meter);
    painter.restore();
    if (!m_history.isEmpty()) { // the scale
        painter.setFont(uiFont(TextSize::Tiny));
        painter.setPen(color(&Tokens::muted));
        painter.drawText(frame.plot.adjusted(0, 1, -4, 0), Qt::AlignRight | Qt::AlignTop,
                         tr("up to %1").arg(meterText(meter, top)));
    }
    painter.fillRect(QRectF(frame.plot.left(), frame.plot.bottom(), frame.plot.width(), 1),
                     color(&Tokens::strong));
}

void MetersView::paintWords(QPainter& painter, const MeterReading& reading, const QRectF& rect) const
{
    const QFont name = uiFont(TextSize::Dense, QFont::DemiBold);
    QFont value = uiFont(TextSize::Heading, QFont::DemiBold);
    value.setPointSizeF(QFontInfo(uiFont(TextSize::Normal)).pointSizeF() * 18 / 13);
    const QFont limit = uiFont(TextSize::Small);
    const Token hot = reading.isHot ? &Tokens::failed : &Tokens::text;
    const auto put = [&painter](const QRectF& at, const QFont& font, Token ink, const QString& text) {
        painter.setFont(font);
        painter.setPen(color(ink));
        painter.drawText(at, Qt::AlignLeft | Qt::AlignVCenter, text);
    };
    const double unit = scaledLength(16) / 16.0;
    if (isStacked() && rect.height() < kWholeBlock * unit) { // the three lines would lie over one another
        const QFont small = uiFont(TextSize::Dense, QFont::DemiBold);
        const bool hasTwo = rect.height() >= 32 * unit;
        const double top = rect.top() + std::max(0.0, (rect.height() - (hasTwo ? 30 : 16) * unit) / 2);
        put({ rect.left(), top, rect.width(), 16 * unit }, name, &Tokens::text, reading.name);
        painter.setFont(small);
        painter.setPen(color(hot));
        painter.drawText(QRectF(rect.left(), top, rect.width(), 16 * unit), Qt::AlignRight | Qt::AlignVCenter,
                         reading.value);
        if (hasTwo)
            put({ rect.left(), top + 16 * unit, rect.width(), 14 * unit }, limit, &Tokens::muted,
                reading.limit);
        return;
    }
    if (isStacked()) {
        const double block = std::min(rect.height(), 62 * unit);
        const double top = rect.top() + std::min(8 * unit, (rect.height() - block) / 2);
        put({ rect.left(), top, rect.width(), 16 * unit }, name, &Tokens::text, reading.name);
        put({ rect.left(), top + 17 * unit, rect.width(), 24 * unit }, value, hot, reading.value);
        put({ rect.left(), top + 42 * unit, rect.width(), 14 * unit }, limit, &Tokens::muted, reading.limit);
        return;
    }
    const double top = rect.top() + 10 * unit;
    put({ rect.left(), top, rect.width(), 24 * unit }, name, &Tokens::text, reading.name);
    double left = rect.left() + QFontMetricsF(name).horizontalAdvance(reading.name) + 12 * unit;
    put({ left, top, rect.width(), 24 * unit }, value, hot, reading.value);
    left += QFontMetricsF(value).horizontalAdvance(reading.value) + 6 * unit;
    if (left + QFontMetricsF(limit).horizontalAdvance(reading.limit) <= rect.right() + 12) // or it is cut
        put({ left, top + 1, rect.right() + 12 - left, 24 * unit }, limit, &Tokens::muted, reading.limit);
}

// Painted pixel by pixel, because a rectangle for each column would be slow.
void MetersView::paintDense(QPainter& painter, const MeterColumns& columns, const QRectF& plot,
                            double top) const
{
    const QPoint corner(static_cast<int>(std::floor(plot.left())), static_cast<int>(std::floor(plot.top())));
    QImage picture(static_cast<int>(std::floor(plot.right())) - corner.x(),
                   static_cast<int>(std::floor(plot.bottom())) - corner.y(),
                   QImage::Format_ARGB32_Premultiplied);
    if (picture.isNull())
        return;
    picture.fill(Qt::transparent);
    const QRgb area = qPremultiply(color(&Tokens::neutralTint).rgba());
    const QRgb line = qPremultiply(color(&Tokens::text2).rgba());
    const double unit = plot.height() / top;
    const auto yOf = [&](double value) {
        const double y = plot.bottom() - std::min(top, value) * unit - corner.y();
        return std::clamp(static_cast<int>(std::round(y)), 0, picture.height() - 1);
    };
    auto* const pixels = reinterpret_cast<QRgb*>(picture.bits());
    const qsizetype stride = picture.bytesPerLine() / static_cast<qsizetype>(sizeof(QRgb));
    for (const MeterColumns::Column& column : columns.columns()) {
        const qint64 x = picture.width() - 1 - (columns.lastIndex() - column.index);
        if (x < 0)
            continue;
        const int low = yOf(column.low);
        for (int y = yOf(column.high); y < picture.height(); ++y)
            pixels[y * stride + x] = y <= low ? line : area;
    }
    painter.drawImage(corner, picture);
}

void MetersView::paintCourse(QPainter& painter, Meter meter, const QRectF& plot, double top) const
{
    QPainterPath line;
    QPainterPath area;
    QPointF last;
    double previous = 0;
    bool started = false;
    int joined = 0; // points of the course that is being drawn
    QVarLengthArray<QPointF, 16> alone; // samples without neighbours, of which a line shows nothing
    const double outOfSight = spanMs() / plot.width() * 20;
    const double until = endMs() + outOfSight;
    for (auto next = m_history.since(endMs() - spanMs() - outOfSight);
         next != m_history.samples().end() && next->timeMs <= until; ++next) {
        const SampleRow& sample = *next;
        const QPointF at(x(sample.timeMs, plot),
                         plot.bottom() - std::min(1.0, meterValue(meter, sample) / top) * plot.height());
        if (!started || sample.timeMs - previous > SampleHistory::kGapMs) {
            if (started)
                area.lineTo(last.x(), plot.bottom());
            if (joined == 1)
                alone.push_back(last);
            joined = 0;
            line.moveTo(at);
            area.moveTo(at.x(), plot.bottom());
            area.lineTo(at);
        } else {
            line.lineTo(at);
            area.lineTo(at);
        }
        started = true;
        ++joined;
        previous = sample.timeMs;
        last = at;
    }
    if (started)
        area.lineTo(last.x(), plot.bottom());
    painter.setPen(Qt::NoPen);
    painter.setBrush(color(&Tokens::neutralTint));
    painter.drawPath(area);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color(&Tokens::text2), 1.25, Qt::SolidLine, Qt::FlatCap, Qt::RoundJoin));
    painter.drawPath(line);
    if (joined == 1)
        alone.push_back(last);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color(&Tokens::text2));
    for (const QPointF& at : alone)
        painter.drawEllipse(at, 2, 2);
}

void MetersView::paintLimit(QPainter& painter, const MeterReading& reading, const QRectF& plot,
                            double top) const
{
    if (!(reading.limitValue > 0) || reading.limitValue > top)
        return;
    const double y = std::round(plot.bottom() - reading.limitValue / top * plot.height()) + 0.5;
    QVarLengthArray<QRect, 256> dashes; // rectangles, because a dashed pen would be slower than the plot
    for (int x = static_cast<int>(plot.left()); x < plot.right(); x += 7)
        dashes.push_back(QRect(x, static_cast<int>(y), 4, 1));
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color(&Tokens::failed));
    painter.drawRects(dashes.data(), static_cast<int>(dashes.size()));
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setFont(uiFont(TextSize::Tiny));
    painter.setPen(color(&Tokens::muted));
    painter.drawText(QRectF(plot.left() + 6, y + 2, plot.width(), scaledLength(14)),
                     Qt::AlignLeft | Qt::AlignTop, tr("limit"));
}

void MetersView::paintMarks(QPainter& painter, const QRectF& plot, Meter meter) const
{
    if (m_history.isEmpty())
        return;
    if (meter == Meter::Cpu)
        paintThrottling(painter, plot);
    double free = plot.left();
    for (const MeterMark& mark : m_marks) {
        const double at = std::round(x(mark.timeMs, plot)) + 0.5;
        if (mark.kind == MeterMark::Kind::Throttled || at < plot.left() || at > plot.right() + 1)
            continue;
        const bool isKill = mark.kind == MeterMark::Kind::Kill;
        QPen pen(color(isKill ? &Tokens::failed : &Tokens::strong), isKill ? 1.5 : 1);
        if (!isKill)
            pen.setDashPattern({ 2, 3 });
        painter.setPen(pen);
        painter.drawLine(QPointF(at, plot.top()), QPointF(at, plot.bottom()));
        if (meter == Meter::Memory)
            paintMarkWords(painter, plot, mark, free);
    }
    paintCursor(painter, plot, meter == Meter::Memory);
}

// Texts of kills are always shown, at the top; other texts at the bottom if the earlier ones leave space.
void MetersView::paintMarkWords(QPainter& painter, const QRectF& plot, const MeterMark& mark,
                                double& free) const
{
    const bool isKill = mark.kind == MeterMark::Kind::Kill;
    const QFont font = uiFont(TextSize::Small, isKill ? QFont::DemiBold : QFont::Normal);
    const QString words = isKill ? tr("OOM %1").arg(formatClock(mark.timeMs)) : mark.text;
    const double at = std::round(x(mark.timeMs, plot)) + 0.5;
    const double width = QFontMetricsF(font).horizontalAdvance(words) + 4;
    const bool isLeft = isKill ? at - width - 6 > plot.left() : at + 6 + width > plot.right();
    const double left = isLeft ? at - width - 6 : at + 6;
    if (!isKill && left < free)
        return;
    const double height = scaledLength(16);
    const QRectF room(left, isKill ? plot.top() - 1 : plot.bottom() - height, width, height);
    if (!isKill)
        free = room.right() + 4;
    painter.fillRect(room, color(&Tokens::base)); // covers the line of the limit
    painter.setFont(font);
    painter.setPen(color(isKill ? &Tokens::failed : &Tokens::muted));
    painter.drawText(room, (isLeft ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter, words);
}

// Paints a bar along the top, with text if it fits.
void MetersView::paintThrottling(QPainter& painter, const QRectF& plot) const
{
    const QFont font = uiFont(TextSize::Tiny);
    const QString words = tr("held back");
    const double width = QFontMetricsF(font).horizontalAdvance(words);
    for (const MeterMark& mark : m_marks) {
        if (mark.kind != MeterMark::Kind::Throttled)
            continue;
        const double left = std::max(plot.left(), x(mark.timeMs, plot));
        const double right = std::min(plot.right(), std::max(x(mark.endMs, plot), left + 2));
        if (right <= left)
            continue;
        painter.fillRect(QRectF(left, plot.top() - 2, right - left, 3), color(&Tokens::warn));
        if (right - left < width + 4)
            continue;
        painter.setFont(font);
        painter.setPen(color(&Tokens::muted));
        painter.drawText(QRectF(left + 2, plot.top() + 1, width + 4, scaledLength(12)),
                         Qt::AlignLeft | Qt::AlignVCenter, words);
    }
}

// If the viewed time is outside of the plot, an arrow at the edge shows the direction.
void MetersView::paintCursor(QPainter& painter, const QRectF& plot, bool withWords) const
{
    const double time = cursorMs();
    if (std::isnan(time))
        return;
    const double at = x(time, plot);
    QPen pen(color(&Tokens::accent), 1.5);
    if (!std::isnan(m_wish))
        pen.setDashPattern({ 3, 2 });
    if (at >= plot.left() && at <= plot.right() + 1) {
        painter.setPen(pen);
        painter.drawLine(QPointF(at, plot.top()), QPointF(at, plot.bottom()));
        return;
    }
    const bool isBefore = at < plot.left();
    const double edge = isBefore ? plot.left() : plot.right();
    const double inward = isBefore ? 6 : -6;
    const double middle = plot.center().y();
    painter.setPen(Qt::NoPen);
    painter.setBrush(color(&Tokens::accent));
    painter.drawPolygon(QPolygonF(
        { QPointF(edge, middle), QPointF(edge + inward, middle - 5), QPointF(edge + inward, middle + 5) }));
    painter.setBrush(Qt::NoBrush);
    if (!withWords)
        return;
    const QString words = isBefore ? tr("%1, before what is measured").arg(formatClock(time))
                                   : tr("%1, after what is measured").arg(formatClock(time));
    painter.setFont(uiFont(TextSize::Small));
    painter.setPen(color(&Tokens::accent));
    painter.drawText(plot.adjusted(10, 0, -10, 0),
                     (isBefore ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter, words);
}

void MetersView::paintCursorTime(QPainter& painter, const QRectF& plot, double top) const
{
    const double at = x(cursorMs(), plot);
    if (std::isnan(at) || at < plot.left() || at > plot.right() + 1)
        return;
    const QFont font = uiFont(TextSize::Small, QFont::DemiBold);
    const QString words = formatClock(cursorMs());
    const double width = QFontMetricsF(font).horizontalAdvance(words) + 8;
    const double left = std::clamp(at - width / 2, plot.left() - 4, plot.right() + 4 - width);
    const QRectF room(left, top + 3, width, scaledLength(16));
    painter.fillRect(room, color(&Tokens::base));
    painter.setFont(font);
    painter.setPen(color(&Tokens::accent));
    painter.drawText(room, Qt::AlignCenter, words);
}

void MetersView::paintTimes(QPainter& painter, const QRectF& plot) const
{
    if (m_history.isEmpty())
        return;
    const double end = endMs();
    const QFont font = uiFont(TextSize::Small);
    const double width = QFontMetricsF(font).horizontalAdvance(QStringLiteral("00:00:00")) + 8;
    const int seconds = static_cast<int>(std::clamp(spanMs() / 1000, 2.0, 7.0)); // none is written twice
    const int ticks = std::clamp(static_cast<int>(plot.width() / (width * 1.6)), 2, seconds);
    const double top = isStacked() ? plot.bottom() + 8 : plot.bottom() + 1;
    painter.setFont(font);
    for (int tick = 0; tick < ticks; ++tick) {
        const double time = end - spanMs() * (ticks - 1 - tick) / (ticks - 1);
        const double at = std::round(x(time, plot));
        painter.fillRect(QRectF(at, top, 1, 4), color(&Tokens::strong));
        const QRectF words(at - width / 2, top + 3, width, scaledLength(16));
        const bool first = tick == 0;
        const bool last = tick == ticks - 1;
        painter.setPen(color(&Tokens::muted));
        painter.drawText(first      ? words.translated(width / 2 - 4, 0)
                             : last ? words.translated(-width / 2 + 1, 0)
                                    : words,
                         (first      ? Qt::AlignLeft
                              : last ? Qt::AlignRight
                                     : Qt::AlignHCenter)
                             | Qt::AlignVCenter,
                         formatClock(time));
    }
    paintCursorTime(painter, plot, top);
}

} // namespace sg::ui
