#include "ui/timeline/nested_run_painter.h"
#include "ui/timeline/timeline_view.h"

#include <QContextMenuEvent>
#include <QFocusEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

// Mouse, keys and wheel: which checkpoint is selected by them.
namespace sg::ui {
namespace {

constexpr double kScrub = 6; // pixels that a key moves the cursor
constexpr int kMostScrubs = 64;
constexpr double kLeastScrubMs = 0.01;

} // namespace

void TimelineView::step(int by)
{
    const int current = currentMark();
    if (current == HistoryModel::kNone)
        return;
    const HistoryModel::Mark& mark = m_model.mark(current);
    if (by < 0)
        select(m_history.isMomentBetween() ? current : mark.parent);
    else
        select(m_model.markAt(mark.lane, mark.column + 1));
}

void TimelineView::goToFirst()
{
    select(m_model.isEmpty() ? HistoryModel::kNone : 0);
}

void TimelineView::goToHead()
{
    select(m_model.head());
}

void TimelineView::select(int mark)
{
    if (mark == HistoryModel::kNone || (mark == currentMark() && !m_history.isMomentBetween()))
        return;
    const QString id = m_model.id(mark);
    m_history.goTo(id);
    Q_EMIT checkpointSelected(id);
}

void TimelineView::selectParentBranch()
{
    const int current = currentMark();
    if (current == HistoryModel::kNone)
        return;
    const int from = m_model.lane(m_model.mark(current).lane).forkedFrom;
    if (from != HistoryModel::kNone)
        selectInLane(m_model.mark(from).lane);
}

// Goes to the branch that begins nearest to the selected checkpoint; if none begins in this branch, to the
// next one.
void TimelineView::selectChildBranch()
{
    const int current = currentMark();
    if (current == HistoryModel::kNone)
        return;
    const HistoryModel::Mark& mark = m_model.mark(current);
    const int lanes = static_cast<int>(m_model.lanes().size());
    int nearest = mark.lane + 1;
    int least = std::numeric_limits<int>::max();
    for (int lane = mark.lane + 1; lane < lanes; ++lane) {
        const int from = m_model.lane(lane).forkedFrom;
        if (from == HistoryModel::kNone || m_model.mark(from).lane != mark.lane)
            continue;
        const int away = std::abs(m_model.lane(lane).firstColumn - mark.column);
        if (away < least) {
            least = away;
            nearest = lane;
        }
    }
    if (nearest < lanes)
        selectInLane(nearest);
}

void TimelineView::selectInLane(int lane)
{
    const HistoryModel::Mark& mark = m_model.mark(currentMark());
    const HistoryModel::Lane& found = m_model.lane(lane);
    const int last = found.firstColumn + static_cast<int>(found.marks.size()) - 1;
    select(m_model.markAt(lane, std::clamp(mark.column, found.firstColumn, last)));
}

void TimelineView::selectAt(const QPoint& position)
{
    if (!isInContent(position))
        return;
    const TimelineHit hit = hitTest(m_model, m_geometry, toContent(position), nowMs());
    if (hit.task == HistoryModel::kNone) {
        select(hit.mark);
        return;
    }
    // A task's bar stands for what it made; of one that made nothing yet, for where it started.
    const HistoryModel::Mark& start = m_model.mark(hit.taskMark);
    const int made = m_model.markAt(start.lane, start.column + 1);
    select(made == HistoryModel::kNone ? hit.taskMark : made);
}

void TimelineView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    const QPointF at = QPointF(event->pos()) - QPointF(0, m_geometry.ruler - scroll().y());
    const int lane = m_geometry.laneAt(at.y(), static_cast<int>(m_model.lanes().size()));
    if (m_nested.has(lane) && event->pos().y() >= m_geometry.ruler
        && foldMarkRect(m_geometry, lane).adjusted(-6, -6, 6, 6).contains(at))
        m_nested.toggle(lane);
    else if (event->pos().x() >= m_geometry.header && !isInContent(event->pos()) && !m_model.isEmpty()) {
        m_scrubbed = m_model.mark(currentMark()).lane; // on the ruler or in the strip
        scrubTo(event->position().x());
    } else {
        selectAt(event->pos());
        if (m_geometry.axis != TimelineAxis::Step && lane >= 0)
            m_scrubbed = lane;
    }
}

void TimelineView::mouseMoveEvent(QMouseEvent* event)
{
    if (!event->buttons().testFlag(Qt::LeftButton))
        return;
    if (m_scrubbed)
        scrubTo(event->position().x());
    else
        selectAt(event->pos());
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event)
{
    QAbstractScrollArea::mouseReleaseEvent(event);
    if (event->button() == Qt::LeftButton)
        m_scrubbed.reset();
}

// Beyond an edge the view scrolls along.
void TimelineView::scrubTo(double viewX)
{
    const double right = viewport()->width() - 1;
    const double x = std::clamp(viewX, m_geometry.header, right);
    if (x != viewX)
        horizontalScrollBar()->setValue(
            static_cast<int>(horizontalScrollBar()->value() + std::clamp(viewX - x, -40.0, 40.0)));
    const int lane = m_scrubbed && *m_scrubbed < static_cast<int>(m_model.lanes().size())
        ? *m_scrubbed
        : m_model.mark(currentMark()).lane;
    const TimelineGeometry& geometry = geometryNow();
    const double content = std::clamp(x - m_geometry.header + scroll().x(), 0.0, contentSize().width());
    const QString before = m_history.current();
    if (const double time = geometry.timeAt(m_model, lane, content); !std::isnan(time))
        m_history.goToMoment(time, lane);
    if (m_history.current() != before)
        Q_EMIT checkpointSelected(m_history.current());
}

// Goes on to the next place that is another moment: close by a checkpoint all are its own.
void TimelineView::scrubBy(double pixels)
{
    if (currentMark() == HistoryModel::kNone)
        return;
    const HistoryModel::Mark& mark = m_model.mark(currentMark());
    const TimelineGeometry& geometry = geometryNow();
    const double now = m_history.isMomentBetween() ? m_history.moment() : mark.timeMs;
    double x = m_history.isMomentBetween() ? geometry.timeX(m_model, mark.lane, now) : geometry.x(mark);
    for (int tries = 0; tries < kMostScrubs; ++tries) {
        x += pixels;
        if (const double time = geometry.timeAt(m_model, mark.lane, x);
            std::abs(time - now) > kLeastScrubMs) {
            m_history.goToMoment(time, mark.lane);
            return;
        }
    }
}

// A task's menu is for the superstep in which it began; from the keyboard, for the selected checkpoint.
void TimelineView::contextMenuEvent(QContextMenuEvent* event)
{
    event->accept();
    if (m_model.isEmpty())
        return;
    QString node;
    QPoint at = event->globalPos();
    if (event->reason() == QContextMenuEvent::Mouse) {
        if (!isInContent(event->pos()))
            return;
        const TimelineHit hit = hitTest(m_model, geometryNow(), toContent(event->pos()), nowMs());
        if (hit.mark == HistoryModel::kNone)
            return;
        if (hit.task != HistoryModel::kNone)
            node = m_model.tasksOf(hit.taskMark, kMostShownTasks)[static_cast<std::size_t>(hit.task)].node;
        select(hit.task == HistoryModel::kNone ? hit.mark : hit.taskMark);
    } else {
        const QPointF mark = geometryNow().centre(m_model.mark(currentMark())) - scroll()
            + QPointF(m_geometry.header, m_geometry.ruler);
        at = viewport()->mapToGlobal(mark.toPoint());
    }
    Q_EMIT menuRequested(node, at);
}

void TimelineView::keyPressEvent(QKeyEvent* event)
{
    const bool isSideways = event->key() == Qt::Key_Left || event->key() == Qt::Key_Right;
    if (isSideways && event->modifiers() == Qt::ShiftModifier) {
        scrubBy((event->key() == Qt::Key_Left ? -kScrub : kScrub) * m_geometry.unit());
        return;
    }
    const bool isPlus = event->key() == Qt::Key_Plus; // with Shift on most keyboards
    if (event->modifiers() & ~(Qt::KeypadModifier | (isPlus ? Qt::ShiftModifier : Qt::NoModifier))) {
        QAbstractScrollArea::keyPressEvent(event);
        return;
    }
    switch (event->key()) {
    case Qt::Key_Left: step(-1); break;
    case Qt::Key_Right: step(1); break;
    case Qt::Key_Up: selectParentBranch(); break;
    case Qt::Key_Down: selectChildBranch(); break;
    case Qt::Key_Home: goToFirst(); break;
    case Qt::Key_End: goToHead(); break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (currentMark() != HistoryModel::kNone)
            m_nested.toggle(m_model.mark(currentMark()).lane);
        break;
    case Qt::Key_Space: Q_EMIT playRequested(); break;
    default:
        if (!zoomByKey(event->key()))
            QAbstractScrollArea::keyPressEvent(event);
    }
}

void TimelineView::wheelEvent(QWheelEvent* event)
{
    const bool sideways =
        event->modifiers().testFlag(Qt::ShiftModifier) || verticalScrollBar()->maximum() == 0;
    const QPoint turn = event->angleDelta();
    if (event->modifiers().testFlag(Qt::ControlModifier) && turn.y() != 0) {
        zoomTo(zoom() * std::pow(1.2, turn.y() / 120.0), event->position().x());
        event->accept();
        return;
    }
    if (sideways && turn.x() == 0 && turn.y() != 0) {
        QScrollBar* bar = horizontalScrollBar();
        bar->setValue(bar->value() - turn.y() * bar->singleStep() / 120);
        event->accept();
        return;
    }
    QAbstractScrollArea::wheelEvent(event);
}

void TimelineView::focusInEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update();
}

void TimelineView::focusOutEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

} // namespace sg::ui
