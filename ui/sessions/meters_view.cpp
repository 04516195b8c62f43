#include "ui/sessions/meters_view.h"

#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/time_format.h"

#include <QFontMetricsF>
#include <QImage>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QVarLengthArray>

#include <algorithm>
#include <cmath>
#include <utility>

namespace sg::ui {

namespace {

constexpr int kMeterCount = 4;
constexpr int kAxis = 22;
constexpr int kWordsWidth = 128;
constexpr int kHead = 20;

Token edgeOf(const QString& outcome)
{
    return outcome == QLatin1String("failed")     ? &Tokens::failed
        : outcome == QLatin1String("running")     ? &Tokens::running
        : outcome == QLatin1String("interrupted") ? &Tokens::waiting
        : outcome == QLatin1String("done")        ? &Tokens::done
                                                  : &Tokens::neutral;
}

} // namespace

MetersView::MetersView(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(QStringLiteral("meters"));
    setAccessibleName(tr("Meters"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void MetersView::show(const SessionRow& session, const SampleHistory& history,
                      const std::vector<MeterMark>& marks)
{
    m_session = session;
    m_history = history;
    m_marks = marks;
    QStringList words;
    for (const Meter meter : kMeters) {
        const MeterReading reading = readMeter(meter, m_session, m_history);
        words << QStringLiteral("%1 %2 %3").arg(reading.name, reading.value, reading.limit);
    }
    for (const MeterMark& mark : marks)
        words << QStringLiteral("%1 %2").arg(formatClock(mark.timeMs), mark.text);
    setAccessibleDescription(words.join(QStringLiteral(", ")));
    update();
}

void MetersView::setMoment(double timeMs)
{
    m_moment = timeMs;
    update();
}

void MetersView::mousePressEvent(QMouseEvent* event)
{
    for (int index = 0; index < kMeterCount && event->button() == Qt::LeftButton && !m_history.isEmpty();
         ++index) {
        const QRectF plot = frameOf(index).plot;
        if (!plot.adjusted(0, -8, 0, 8).contains(event->position()))
            continue;
        const double now = m_history.samples().back().timeMs;
        Q_EMIT momentRequested(now - (plot.right() - event->position().x()) / plot.width() * m_spanMs);
        return;
    }
}

void MetersView::setSpan(double ms)
{
    m_spanMs = ms;
    update();
}

void MetersView::setTasks(std::vector<TaskRow> tasks)
{
    m_tasks = std::move(tasks);
    update();
}

double MetersView::headHeight() const
{
    return isStacked() && !m_tasks.empty() ? scaledLength(kHead) : 0;
}

QSize MetersView::sizeHint() const
{
    return { scaledLength(560), scaledLength(280) };
}

QSize MetersView::minimumSizeHint() const
{
    return { scaledLength(280), scaledLength(100) };
}

bool MetersView::isStacked() const
{
    return height() >= scaledLength(kMeterCount * 62 + kAxis) || width() < scaledLength(640);
}

MetersView::Frame MetersView::frameOf(int index) const
{
    const double axis = scaledLength(kAxis);
    if (isStacked()) {
        const double words = scaledLength(kWordsWidth);
        const double head = headHeight();
        const double each = std::floor((height() - axis - head) / kMeterCount);
        const QRectF row(0, head + index * each, width(), each);
        return { QRectF(12, row.top(), words - 16, each), row.adjusted(words, 10, -16, -8) };
    }
    const double each = std::floor(static_cast<double>(width()) / kMeterCount);
    const QRectF column(index * each, 0, each, height());
    const double words = scaledLength(44);
    return { QRectF(column.left() + 12, 0, each - 20, words), column.adjusted(12, words, -12, -axis) };
}

double MetersView::x(double timeMs, const QRectF& plot) const
{
    const double now = m_history.isEmpty() ? 0 : m_history.samples().back().timeMs;
    return plot.right() - (now - timeMs) / m_spanMs * plot.width();
}

QRectF MetersView::bandOf(const TaskRow& task, const QRectF& plot) const
{
    if (m_history.isEmpty() || std::isnan(task.startedMs) || task.outcome == QLatin1String("cached"))
        return {};
    const double end =
        std::isnan(task.seconds) ? m_history.samples().back().timeMs : task.startedMs + task.seconds * 1000;
    const double left = std::max(plot.left(), x(task.startedMs, plot));
    const double right = std::min(plot.right(), std::max(x(end, plot), left + 1));
    return right > left && x(end, plot) >= plot.left() ? QRectF(left, plot.top(), right - left, plot.height())
                                                       : QRectF();
}

// Quiet stripes: where they touch, the edge of the later one parts them.
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
    double free = plot.left(); // names of what ran at once give way
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
}

bool MetersView::isDense(const QRectF& plot) const
{
    return static_cast<double>(m_history.samples().size()) > plot.width() && m_spanMs / 1000 > plot.width();
}

void MetersView::paintMeter(QPainter& painter, Meter meter, const Frame& frame)
{
    const MeterReading reading = readMeter(meter, m_session, m_history);
    paintWords(painter, reading, frame.words);
    const double from = m_history.isEmpty() ? 0 : m_history.samples().back().timeMs - m_spanMs;
    MeterColumns& columns = m_columns[static_cast<std::size_t>(meter)];
    const bool dense = isDense(frame.plot);
    if (dense)
        columns.update(meter, m_history, m_spanMs / std::floor(frame.plot.width()), m_spanMs);
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
    paintMarks(painter, frame.plot, meter == Meter::Memory);
    painter.restore();
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
    if (left + QFontMetricsF(limit).horizontalAdvance(reading.limit) <= rect.right() + 12) // else it were cut
        put({ left, top + 1, rect.right() + 12 - left, 24 * unit }, limit, &Tokens::muted, reading.limit);
}

// Pixel by pixel: a rectangle for each column would take most of the time.
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
    const double outOfSight = m_spanMs / plot.width() * 20;
    const double from = m_history.isEmpty() ? 0 : m_history.samples().back().timeMs - m_spanMs - outOfSight;
    for (auto next = m_history.since(from); next != m_history.samples().end(); ++next) {
        const SampleRow& sample = *next;
        const QPointF at(x(sample.timeMs, plot),
                         plot.bottom() - std::min(1.0, meterValue(meter, sample) / top) * plot.height());
        if (!started || sample.timeMs - previous > SampleHistory::kGapMs) {
            if (started)
                area.lineTo(last.x(), plot.bottom());
            line.moveTo(at);
            area.moveTo(at.x(), plot.bottom());
            area.lineTo(at);
        } else {
            line.lineTo(at);
            area.lineTo(at);
        }
        started = true;
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
}

void MetersView::paintLimit(QPainter& painter, const MeterReading& reading, const QRectF& plot,
                            double top) const
{
    if (!(reading.limitValue > 0) || reading.limitValue > top)
        return;
    const double y = std::round(plot.bottom() - reading.limitValue / top * plot.height()) + 0.5;
    QVarLengthArray<QRect, 256> dashes; // a dashed pen would cost more than the plot
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

void MetersView::paintMarks(QPainter& painter, const QRectF& plot, bool withWords) const
{
    const QFont font = uiFont(TextSize::Small, QFont::DemiBold);
    for (const MeterMark& mark : m_marks) {
        const double at = std::round(x(mark.timeMs, plot)) + 0.5;
        if (m_history.isEmpty() || at < plot.left() || at > plot.right() + 1)
            continue;
        QPen pen(color(mark.isKill ? &Tokens::failed : &Tokens::strong), mark.isKill ? 1.5 : 1);
        if (!mark.isKill)
            pen.setDashPattern({ 2, 3 });
        painter.setPen(pen);
        painter.drawLine(QPointF(at, plot.top()), QPointF(at, plot.bottom()));
        if (!withWords || !mark.isKill)
            continue;
        const QString words = tr("OOM %1").arg(formatClock(mark.timeMs));
        const double width = QFontMetricsF(font).horizontalAdvance(words) + 4;
        const bool isLeft = at - width - 6 > plot.left();
        const QRectF room(isLeft ? at - width - 6 : at + 6, plot.top() - 1, width, scaledLength(16));
        painter.fillRect(room, color(&Tokens::base)); // the line of the limit may stand there
        painter.setFont(font);
        painter.setPen(color(&Tokens::failed));
        painter.drawText(room, (isLeft ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter, words);
    }
    if (std::isnan(m_moment) || m_history.isEmpty())
        return;
    painter.setPen(QPen(color(&Tokens::accent), 1.5));
    const double at = x(m_moment, plot);
    painter.drawLine(QPointF(at, plot.top()), QPointF(at, plot.bottom()));
}

void MetersView::paintTimes(QPainter& painter, const QRectF& plot) const
{
    if (m_history.isEmpty())
        return;
    const double now = m_history.samples().back().timeMs;
    const QFont font = uiFont(TextSize::Small);
    const double width = QFontMetricsF(font).horizontalAdvance(QStringLiteral("00:00:00")) + 8;
    const int ticks = std::clamp(static_cast<int>(plot.width() / (width * 1.6)), 2, 7);
    const double top = isStacked() ? plot.bottom() + 8 : plot.bottom() + 1;
    painter.setFont(font);
    for (int tick = 0; tick < ticks; ++tick) {
        const double time = now - m_spanMs * (ticks - 1 - tick) / (ticks - 1);
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
}

} // namespace sg::ui
