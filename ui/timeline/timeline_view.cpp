#include "ui/timeline/timeline_view.h"

#include "ui/selection/checkpoint_words.h"
#include "ui/timeline/planned_branch_painter.h"
#include "ui/timeline/timeline_painter.h"
#include "ui/timeline/timeline_strip_marks.h"
#include "ui/timeline/timeline_strip_painter.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/time_format.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QTimer>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace sg::ui {

namespace {

constexpr int kClockMs = 500;

} // namespace

TimelineView::TimelineView(ShownHistory& history, QWidget* parent)
    : QAbstractScrollArea(parent)
    , m_history(history)
    , m_model(history.model())
    , m_geometry(TimelineGeometry::scaled())
    , m_nested(m_model, nullptr)
    , m_scale(m_model)
    , m_clock(new QTimer(this))
{
    setObjectName(QStringLiteral("timelineView"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Timeline"));
    setAccessibleDescription(tr("No checkpoints yet"));
    m_clock->setInterval(kClockMs);
    connect(m_clock, &QTimer::timeout, this, [this] {
        m_scale.timeWentOn();
        viewport()->update();
    });
    connectHistory();
    connectNested();
    contentChanged(true);
}

void TimelineView::connectHistory()
{
    connect(&m_history, &ShownHistory::aboutToChange, this, &TimelineView::notePlaces);
    connect(&m_history, &ShownHistory::changed, this, &TimelineView::takeChange);
    connect(&m_history, &ShownHistory::currentChanged, this, [this] {
        if (!m_scrubbed)
            showMark(currentMark());
        announce();
        viewport()->update();
        Q_EMIT changed();
    });
    connect(&m_history, &ShownHistory::momentChanged, this, [this] {
        announce();
        viewport()->update();
        Q_EMIT changed();
    });
}

void TimelineView::connectNested()
{
    connect(&m_nested, &NestedLanes::rowsChanged, this, [this] { m_nested.place(m_geometry); });
    connect(&m_nested, &NestedLanes::changed, this, [this] {
        tracksChanged();
        Q_EMIT changed();
    });
    connect(&m_nested, &NestedLanes::runsChanged, viewport(), qOverload<>(&QWidget::update));
}

void TimelineView::notePlaces()
{
    m_sawHead = isVisible(m_model.head());
    const int current = currentMark();
    m_shownId = m_history.current();
    m_shownX = current == HistoryModel::kNone ? 0 : geometryNow().x(m_model.mark(current)) - scroll().x();
}

void TimelineView::takeChange(const HistoryChange& change)
{
    using Kind = HistoryChange::Kind;
    switch (change.kind) {
    case Kind::Cleared:
        forgetContent();
        contentChanged(false);
        return;
    case Kind::Read: contentChanged(m_sawHead); return;
    case Kind::Added: contentChanged(m_sawHead, change.firstMark); return;
    case Kind::Tasks: contentChanged(false, change.firstMark); return;
    case Kind::ReadAnew:
    case Kind::Completed: break;
    }
    m_watches.forget(); // marks have other numbers now
    m_nested.forgetPlaces();
    contentChanged(change.kind == Kind::ReadAnew && m_sawHead);
    const int mark = m_model.find(m_shownId);
    if (change.kind == Kind::Completed && mark != HistoryModel::kNone) // it stays where it is on the screen
        horizontalScrollBar()->setValue(static_cast<int>(geometryNow().x(m_model.mark(mark)) - m_shownX));
}

void TimelineView::forgetContent()
{
    m_tracks = {};
    m_nested.clear();
    m_watches.forget();
    m_planned = {};
}

void TimelineView::contentChanged(bool followHead, int firstMark)
{
    m_scale.contentChanged(firstMark);
    m_nested.place(m_geometry);
    updateScrollBars();
    if (followHead && isAtHead())
        showMark(m_model.head());
    if (m_model.isRunning())
        m_clock->start();
    else
        m_clock->stop();
    announce();
    if (const QSize hint = sizeHint(); hint != m_hint) { // else the whole window would be laid out again
        m_hint = hint;
        updateGeometry();
    }
    viewport()->update();
    Q_EMIT changed();
    askWatch();
}

void TimelineView::updateScrollBars()
{
    m_scale.renew(m_geometry);
    const QSizeF content = contentSize();
    const int width = std::max(1, viewport()->width() - static_cast<int>(m_geometry.header));
    const int height = std::max(1, static_cast<int>(lanesBottom() - m_geometry.ruler));
    const int contentWidth = static_cast<int>(std::min(content.width(), kWidest));
    horizontalScrollBar()->setRange(0, m_model.isEmpty() ? 0 : std::max(0, contentWidth - width));
    horizontalScrollBar()->setPageStep(width);
    horizontalScrollBar()->setSingleStep(scaledLength(60));
    verticalScrollBar()->setRange(0, std::max(0, static_cast<int>(content.height()) - height));
    verticalScrollBar()->setPageStep(height);
    verticalScrollBar()->setSingleStep(static_cast<int>(m_geometry.lane / 2));
    if (std::exchange(m_wantedHeight, wantedHeight()) != m_wantedHeight)
        Q_EMIT wantedHeightChanged();
}

int TimelineView::wantedHeight() const
{
    constexpr double unbounded = 1e6;
    const double lanes = std::max(contentSize().height(), m_geometry.lane);
    const double strip = timelineStrip(m_model, m_tracks, m_watches, m_geometry, unbounded).height;
    const int bar = horizontalScrollBar()->maximum() > 0 ? horizontalScrollBar()->sizeHint().height() : 0;
    return static_cast<int>(std::ceil(std::min(m_geometry.ruler + lanes + strip, unbounded))) + bar;
}

bool TimelineView::isVisible(int mark) const
{
    if (mark == HistoryModel::kNone)
        return true;
    const double x = m_geometry.centre(m_model.mark(mark)).x() - scroll().x();
    return x >= 0 && x <= viewport()->width() - m_geometry.header;
}

bool TimelineView::hasPlanned() const
{
    return !m_planned.checkpoint.isEmpty() && m_model.find(m_planned.checkpoint) != HistoryModel::kNone;
}

QSizeF TimelineView::contentSize() const
{
    QSizeF size = m_geometry.contentSize(m_model);
    if (!hasPlanned())
        return size;
    const double end = m_geometry.x(m_model.mark(m_model.find(m_planned.checkpoint)))
        + plannedStep(m_geometry) * static_cast<double>(m_planned.steps.size());
    return { std::max(size.width(), end + m_geometry.first), size.height() + m_geometry.lane };
}

void TimelineView::showPlanned() // it stands at the end
{
    if (hasPlanned())
        verticalScrollBar()->setValue(verticalScrollBar()->maximum());
}

void TimelineView::setPlanned(const PlannedBranch& planned)
{
    if (planned.checkpoint.isEmpty() && m_planned.checkpoint.isEmpty())
        return;
    const bool begins = planned.checkpoint != m_planned.checkpoint;
    m_planned = planned;
    contentChanged(false, m_model.head() + 1);
    if (begins)
        showPlanned();
}

void TimelineView::showMark(int mark)
{
    if (mark == HistoryModel::kNone)
        return;
    const QPointF centre = m_geometry.centre(m_model.mark(mark));
    const double width = viewport()->width() - m_geometry.header;
    const double height = lanesBottom() - m_geometry.ruler;
    const double left = scroll().x();
    const double ahead = std::min(scaledLength(120) * 1.0, width / 3);
    if (centre.x() - m_geometry.first < left)
        horizontalScrollBar()->setValue(static_cast<int>(centre.x() - m_geometry.first));
    else if (centre.x() + ahead > left + width)
        horizontalScrollBar()->setValue(static_cast<int>(centre.x() + ahead + m_geometry.first - width));
    const double half = m_geometry.lane / 2;
    if (centre.y() - half < scroll().y())
        verticalScrollBar()->setValue(static_cast<int>(centre.y() - half));
    else if (centre.y() + half > scroll().y() + height)
        verticalScrollBar()->setValue(static_cast<int>(centre.y() + half - height));
}

void TimelineView::announce()
{
    const int current = currentMark();
    QString words = tr("No checkpoints yet");
    if (current != HistoryModel::kNone) {
        const HistoryModel::Mark& mark = m_model.mark(current);
        words = checkpointSpoken(m_model.row(current), m_model.mark(m_model.lastOf(mark.lane)).step);
        if (const double into = m_history.secondsInto(); !std::isnan(into))
            words += QStringLiteral(", ") + tr("%1 into its tasks").arg(formatDuration(into));
        for (const WatchTracks::Track& track : m_watches.tracks())
            if (const QString value = WatchTracks::wordsAt(track, current); !value.isEmpty())
                words += QStringLiteral(", ") + tr("%1 is %2").arg(track.program, value);
    }
    if (words == accessibleDescription())
        return;
    setAccessibleDescription(words);
    QAccessibleEvent event(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
}

double TimelineView::lanesBottom() const
{
    const double height = viewport()->height();
    const int lanes = lanesInSight(m_model, m_geometry, height, hasPlanned());
    // Between the first lane and the previewed one at the end none is cut.
    if (hasPlanned() && contentSize().height() > lanes * m_geometry.lane)
        return std::round(std::min(height, m_geometry.ruler + lanes * m_geometry.lane));
    return std::round(height - timelineStrip(m_model, m_tracks, m_watches, m_geometry, height, lanes).height);
}

QPointF TimelineView::scroll() const
{
    return QPointF(horizontalScrollBar()->value(), verticalScrollBar()->value());
}

QPointF TimelineView::toContent(const QPoint& position) const
{
    return QPointF(position) - QPointF(m_geometry.header, m_geometry.ruler) + scroll();
}

bool TimelineView::isInContent(const QPoint& position) const
{
    return position.x() >= m_geometry.header && position.y() >= m_geometry.ruler
        && position.y() < lanesBottom();
}

QString TimelineView::toolTipAt(const QPoint& position) const
{
    if (m_model.isEmpty())
        return {};
    if (position.y() >= lanesBottom())
        return stripTipAt(sceneNow(), QPointF(position));
    if (!isInContent(position))
        return {};
    const TimelineHit hit = hitTest(m_model, m_geometry, toContent(position), nowMs());
    if (hit.task != HistoryModel::kNone)
        return taskTip(m_model.tasksOf(hit.taskMark)[static_cast<std::size_t>(hit.task)], nowMs(),
                       m_model.mark(hit.taskMark).timeMs);
    if (hit.lane != HistoryModel::kNone && m_nested.isUnfolded(hit.lane))
        if (const QString tip = m_nested.tipAt(m_geometry, toContent(position), hit.lane); !tip.isEmpty())
            return tip;
    if (!hit.onMark)
        return {};
    const CheckpointRow row = m_model.row(hit.mark);
    const auto note = m_tracks.bookmarks.constFind(row.id);
    return note == m_tracks.bookmarks.constEnd() || note->isEmpty()
        ? checkpointTip(row)
        : checkpointTip(row) + QLatin1Char('\n') + *note;
}

QSize TimelineView::sizeHint() const
{
    const int lanes = std::clamp(static_cast<int>(m_model.lanes().size()) + (hasPlanned() ? 1 : 0), 1, 3);
    return { scaledLength(800),
             static_cast<int>(m_geometry.ruler + lanes * m_geometry.lane)
                 + (horizontalScrollBar()->maximum() > 0 ? horizontalScrollBar()->sizeHint().height() : 0) };
}

QSize TimelineView::minimumSizeHint() const
{
    return { scaledLength(320), static_cast<int>(m_geometry.ruler + m_geometry.lane) };
}

bool TimelineView::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QString tip = toolTipAt(help->pos());
        if (tip.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(
                help->globalPos(),
                QStringLiteral("<p>%1</p>")
                    .arg(tip.toHtmlEscaped().replace(QLatin1Char('\n'), QStringLiteral("<br>"))),
                viewport());
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

TimelineScene TimelineView::sceneNow() const
{
    return { m_model,
             m_geometry,
             m_tracks,
             m_nested.runs(),
             m_watches,
             m_nested.rows(),
             currentMark(),
             m_history.isMomentBetween() ? m_history.moment() : kUnknown,
             isAtHead(),
             hasFocus(),
             scroll(),
             QSizeF(viewport()->size()),
             lanesBottom(),
             nowMs(),
             hasPlanned() ? &m_planned : nullptr };
}

void TimelineView::paintEvent(QPaintEvent*)
{
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), color(&Tokens::base));
    if (m_model.isEmpty()) {
        TimelinePainter::paintEmpty(painter, viewport()->rect(),
                                    tr("Each step of a run becomes a point here that you can go back to."));
        return;
    }
    m_scale.renew(m_geometry);
    askNested();
    m_found.place(m_model, m_tracks.found);
    const TimelineScene scene = sceneNow();
    TimelineStripPainter(painter, scene).paint();
    TimelinePainter(painter, scene).paint();
}

void TimelineView::askNested()
{
    m_nested.askFor(m_geometry,
                    QRectF(scroll(), QSizeF(viewport()->width() - m_geometry.header, lanesBottom())));
}

void TimelineView::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    updateScrollBars();
    showMark(currentMark());
    showPlanned();
}

void TimelineView::changeEvent(QEvent* event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::ApplicationFontChange || event->type() == QEvent::FontChange) {
        const TimelineAxis axis = m_geometry.axis;
        m_geometry = TimelineGeometry::scaled();
        m_geometry.axis = axis;
        m_nested.place(m_geometry);
        m_scale.setZoom(m_scale.zoom(), m_geometry);
        updateScrollBars();
    }
}

} // namespace sg::ui
