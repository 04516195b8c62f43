#include "ui/sessions/meters_view.h"

#include "ui/widgets/fonts.h"
#include "ui/widgets/time_format.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

namespace sg::ui {

namespace {

constexpr int kAxis = 22;
constexpr int kLeastRow = 44; // with less room for each the meters are columns
constexpr int kWordsWidth = 128;
constexpr int kHead = 20;
constexpr double kKeySteps = 60; // steps from one end of the plot to the other
constexpr double kLeastSpanMs = 5000;
constexpr double kSpanStepsMs[] = { 15'000, 30'000, 60'000, 120'000 };
constexpr double kFirstSampleMs = 10'000; // so soon after its start a session is measured
constexpr double kGrip = 4; // pixels around a mark in which its tooltip shows

} // namespace

MetersView::MetersView(QWidget* parent)
    : QWidget(parent)
{
    setObjectName(QStringLiteral("meters"));
    setAccessibleName(tr("Meters"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setFocusPolicy(Qt::StrongFocus);
}

void MetersView::show(const SessionRow& session, const SampleHistory& history,
                      const std::vector<MeterMark>& marks)
{
    m_session = session;
    m_history = history;
    m_marks = marks;
    describe();
    update();
}

// Describes the plots for screen readers.
void MetersView::describe()
{
    QStringList words;
    for (const Meter meter : kMeters) {
        const MeterReading reading = readMeter(meter, m_session, m_history);
        words << QStringLiteral("%1 %2 %3").arg(reading.name, reading.value, reading.limit);
    }
    if (const double at = cursorMs(); !std::isnan(at)) {
        const SampleHistory then = m_history.until(at);
        QStringList values;
        for (const Meter meter : kMeters) {
            const MeterReading reading = readMeter(meter, m_session, then);
            values << QStringLiteral("%1 %2").arg(reading.name, reading.value);
        }
        words << tr("at %1: %2").arg(formatClock(at), values.join(QStringLiteral(", ")));
    }
    for (const MeterMark& mark : m_marks)
        words << QStringLiteral("%1 %2").arg(formatClock(mark.timeMs), mark.text);
    setAccessibleDescription(words.join(QStringLiteral(", ")));
}

void MetersView::setMoment(double timeMs)
{
    const bool isSame = timeMs == m_moment || (std::isnan(timeMs) && std::isnan(m_moment));
    if (isSame)
        return;
    m_moment = timeMs;
    m_wish = kUnknown;
    describe();
    update();
}

double MetersView::newestMs() const
{
    return m_history.isEmpty() ? 0 : m_history.samples().back().timeMs;
}

// A session of a few seconds is not drawn as a mark at the end of five minutes. One that is alive grows in
// steps, so that its course does not shrink with each sample.
double MetersView::spanMs() const
{
    if (m_history.isEmpty())
        return m_spanMs;
    const double first = m_history.samples().front().timeMs;
    const bool isBegunBefore = first > m_session.startedMs && first - m_session.startedMs < kFirstSampleMs;
    const double age = newestMs() - (isBegunBefore ? m_session.startedMs : first);
    if (!std::isnan(m_session.endedMs))
        return std::clamp(age, std::min(kLeastSpanMs, m_spanMs), m_spanMs);
    for (const double step : kSpanStepsMs)
        if (age <= step)
            return std::min(step, m_spanMs);
    return m_spanMs;
}

double MetersView::cursorMs() const
{
    return std::isnan(m_wish) ? m_moment : m_wish;
}

double MetersView::endMs() const
{
    if (!std::isnan(m_dragEndMs))
        return m_dragEndMs;
    const double newest = newestMs();
    const double at = cursorMs();
    const bool isInSight = std::isnan(at) || m_history.isEmpty() || at >= newest - spanMs();
    return isInSight || at < m_history.samples().front().timeMs ? newest
                                                                : std::min(newest, at + spanMs() / 2);
}

void MetersView::moveCursor(double toMs)
{
    if (m_history.isEmpty())
        return;
    m_wish = std::clamp(toMs, m_history.samples().front().timeMs, newestMs());
    describe();
    update();
    Q_EMIT momentRequested(m_wish);
}

void MetersView::keyPressEvent(QKeyEvent* event)
{
    const double step =
        spanMs() / kKeySteps * (event->modifiers().testFlag(Qt::ShiftModifier) ? kKeySteps / 6 : 1);
    const double at = std::isnan(cursorMs()) ? newestMs() : cursorMs();
    switch (event->key()) {
    case Qt::Key_Left: moveCursor(at - step); return;
    case Qt::Key_Right: moveCursor(at + step); return;
    case Qt::Key_Home: moveCursor(0); return;
    case Qt::Key_End: moveCursor(newestMs()); return;
    default: QWidget::keyPressEvent(event);
    }
}

void MetersView::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    update();
}

void MetersView::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    update();
}

QString MetersView::wordsAt(const QPoint& place) const
{
    QStringList words;
    for (int index = 0; index < kMeterCount; ++index) {
        const QRectF plot = frameOf(index).plot;
        if (!plot.adjusted(0, -8, 0, 8).contains(place))
            continue;
        for (const MeterMark& mark : m_marks) {
            const double end = std::isnan(mark.endMs) ? mark.timeMs : mark.endMs;
            if (place.x() >= x(mark.timeMs, plot) - kGrip && place.x() <= x(end, plot) + kGrip)
                words << QStringLiteral("%1 %2").arg(formatClock(mark.timeMs), mark.text);
        }
        break;
    }
    return words.join(QLatin1Char('\n'));
}

bool MetersView::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), wordsAt(help->pos()), this);
    return true;
}

void MetersView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    for (int index = 0; index < kMeterCount; ++index)
        if (frameOf(index).plot.adjusted(0, -8, 0, 8).contains(event->position())) {
            m_dragged = index;
            m_dragEndMs = endMs(); // the plots stay where they are until the drag ends
            requestAt(event->position().x());
        }
}

void MetersView::mouseMoveEvent(QMouseEvent* event)
{
    if (event->buttons().testFlag(Qt::LeftButton) && m_dragged >= 0)
        requestAt(event->position().x());
}

void MetersView::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    m_dragged = -1;
    m_dragEndMs = kUnknown;
    update();
}

void MetersView::requestAt(double viewX)
{
    if (m_history.isEmpty())
        return;
    const QRectF plot = frameOf(m_dragged).plot;
    const double within = std::clamp(viewX, plot.left(), plot.right());
    m_wish = kUnknown;
    update();
    Q_EMIT momentRequested(endMs() - (plot.right() - within) / plot.width() * spanMs());
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
    return { scaledLength(280), scaledLength(60) };
}

bool MetersView::isStacked() const
{
    return height() >= scaledLength(kMeterCount * kLeastRow + kAxis) || width() < scaledLength(640);
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
    return plot.right() - (endMs() - timeMs) / spanMs() * plot.width();
}

QRectF MetersView::bandOf(const TaskRow& task, const QRectF& plot) const
{
    if (m_history.isEmpty() || std::isnan(task.startedMs) || task.outcome == TaskOutcome::Cached)
        return {};
    const double end =
        std::isnan(task.seconds) ? m_history.samples().back().timeMs : task.startedMs + task.seconds * 1000;
    const double left = std::max(plot.left(), x(task.startedMs, plot));
    const double right = std::min(plot.right(), std::max(x(end, plot), left + 1));
    return right > left && x(end, plot) >= plot.left() ? QRectF(left, plot.top(), right - left, plot.height())
                                                       : QRectF();
}

bool MetersView::isDense(const QRectF& plot) const
{
    return endMs() == newestMs() && static_cast<double>(m_history.samples().size()) > plot.width()
        && spanMs() / 1000 > plot.width();
}

} // namespace sg::ui
