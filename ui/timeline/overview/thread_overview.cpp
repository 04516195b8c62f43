#include "ui/timeline/overview/thread_overview.h"

#include "ui/bridge/clients.h"
#include "ui/selection/panel_parts.h"
#include "ui/selection/selection.h"
#include "ui/selection/shown_history.h"
#include "ui/selection/thread_book.h"
#include "ui/widgets/byte_format.h"
#include "ui/widgets/error_cover.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/sight.h"
#include "ui/widgets/state_look.h"
#include "ui/widgets/time_format.h"

#include <QAccessible>
#include <QDateTime>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QScrollBar>
#include <QTimer>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace sg::ui {

namespace {

constexpr double kFirst = 12; // from the edge to the first moment
constexpr double kLargestZoom = 1000;
constexpr double kZoomStep = 1.25;
constexpr double kShortest = 3; // of a bar
constexpr int kSoonMs = 200;

double header()
{
    return scaledLength(208);
}

double ruler()
{
    return scaledLength(28);
}

double rowHeight()
{
    return scaledLength(32);
}

double endOf(const RunSpan& run, double nowMs)
{
    if (!std::isnan(run.toMs))
        return run.toMs;
    return run.status == RunStatus::Running ? nowMs : run.fromMs; // else its program died
}

} // namespace

ThreadOverview::ThreadOverview(QWidget* parent)
    : QAbstractScrollArea(parent)
{
    setObjectName(QStringLiteral("threadOverview"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Overview of all threads"));
    setAccessibleDescription(tr("No runs yet"));
}

ThreadOverview::ThreadOverview(const PanelParts& parts, QWidget* parent)
    : ThreadOverview(parent)
{
    HistoryClient* reader = &parts.clients.history;
    const auto* sight = new Sight(*this);
    connect(sight, &Sight::came, reader, &HistoryClient::loadOverview);
    auto* soon = new QTimer(this); // while a project is opened, its documents have no places yet
    soon->setSingleShot(true);
    soon->setInterval(kSoonMs);
    connect(soon, &QTimer::timeout, this, [reader, sight] {
        if (sight->isSeen())
            reader->loadOverview();
    });
    connect(reader, &HistoryClient::threadsLoaded, soon, qOverload<>(&QTimer::start));
    connect(reader, &HistoryClient::overviewLoaded, this, &ThreadOverview::setRows);
    auto* cover = new ErrorCover(*this);
    connect(cover, &ErrorCover::readAgain, reader, &HistoryClient::loadOverview);
    connect(reader, &HistoryClient::overviewFailed, cover, [this, cover](const UserError& error) {
        cover->showError(tr("The runs of all threads cannot be read."), error.what);
    });
    connect(reader, &HistoryClient::overviewLoaded, cover, &QWidget::hide);
    connect(&parts.clients.project, &OpenProject::closing, this, [this, cover] {
        setRows({});
        cover->hide();
    });
    const auto label = [this, book = &parts.book] {
        QHash<QString, QString> labels;
        for (auto note = book->notes().constBegin(); note != book->notes().constEnd(); ++note)
            labels.insert(note.key(), note->label);
        setLabels(labels);
    };
    connect(&parts.book, &ThreadBook::notesChanged, this, label);
    label();
    connect(&parts.selection, &Selection::threadChanged, this, &ThreadOverview::setCurrent);
    setCurrent(parts.selection.thread());
    connect(this, &ThreadOverview::threadChosen, &parts.selection, &Selection::setThread);
    connect(this, &ThreadOverview::momentChosen, &parts.history, &ShownHistory::goToTime);
}

QSize ThreadOverview::sizeHint() const
{
    return { scaledLength(600), static_cast<int>(ruler() + 4 * rowHeight()) };
}

void ThreadOverview::setRows(const std::vector<OverviewRow>& rows)
{
    m_rows = rows;
    renewScale();
    updateScrollBars();
    announce();
    viewport()->update();
}

void ThreadOverview::setLabels(const QHash<QString, QString>& labels)
{
    m_labels = labels;
    viewport()->update();
}

void ThreadOverview::setCurrent(const QString& thread)
{
    m_current = thread;
    announce();
    viewport()->update();
}

// Everything is to be seen at zoom 1: how much room the folds take depends on the rate.
void ThreadOverview::renewScale()
{
    m_nowMs = static_cast<double>(QDateTime::currentMSecsSinceEpoch());
    std::vector<TimeScale::Busy> busy;
    for (const OverviewRow& row : m_rows)
        for (const RunSpan& run : row.runs)
            busy.push_back({ run.fromMs, endOf(run, m_nowMs) });
    busy = joined(std::move(busy));
    double length = 0;
    for (const TimeScale::Busy& span : busy)
        length += span.toMs - span.fromMs;
    const double room = std::max(100.0, viewport()->width() - header() - 4 * kFirst);
    double rate = room / std::max(1.0, length) / 2;
    for (int round = 0; round < 4; ++round) {
        m_scale = TimeScale(busy, rate, true);
        const double folds = static_cast<double>(m_scale.folds().size()) * TimeScale::kFoldWidth;
        rate *= std::max(room / 4, room - folds) / std::max(1.0, m_scale.width() - folds);
    }
    m_scale = TimeScale(busy, rate * m_zoom, true);
}

void ThreadOverview::updateScrollBars()
{
    const int width = std::max(1, viewport()->width() - static_cast<int>(header()));
    const int height = std::max(1, viewport()->height() - static_cast<int>(ruler()));
    const double content = m_scale.width() + 3 * kFirst;
    horizontalScrollBar()->setRange(0, std::max(0, static_cast<int>(content) - width));
    horizontalScrollBar()->setPageStep(width);
    horizontalScrollBar()->setSingleStep(scaledLength(60));
    const double rows = static_cast<double>(m_rows.size()) * rowHeight();
    verticalScrollBar()->setRange(0, std::max(0, static_cast<int>(rows) - height));
    verticalScrollBar()->setPageStep(height);
    verticalScrollBar()->setSingleStep(static_cast<int>(rowHeight()));
}

void ThreadOverview::zoomTo(double zoom, double viewX)
{
    zoom = std::clamp(zoom, 1.0, kLargestZoom);
    if (zoom == m_zoom)
        return;
    const double at =
        (viewX - header() - kFirst + horizontalScrollBar()->value()) / std::max(1.0, m_scale.width());
    m_zoom = zoom;
    renewScale();
    updateScrollBars();
    horizontalScrollBar()->setValue(static_cast<int>(at * m_scale.width() + kFirst + header() - viewX));
    viewport()->update();
}

int ThreadOverview::currentRow() const
{
    const auto row = std::ranges::find(m_rows, m_current, &OverviewRow::thread);
    return row == m_rows.end() ? -1 : static_cast<int>(row - m_rows.begin());
}

int ThreadOverview::rowAt(double y) const
{
    const int row = static_cast<int>(std::floor((y - ruler() + verticalScrollBar()->value()) / rowHeight()));
    return y < ruler() || row >= static_cast<int>(m_rows.size()) ? -1 : row;
}

double ThreadOverview::viewX(double ms) const
{
    return header() + kFirst + m_scale.x(ms) - horizontalScrollBar()->value();
}

QRectF ThreadOverview::barOf(int row, const RunSpan& run) const
{
    const double top = ruler() + row * rowHeight() - verticalScrollBar()->value();
    const double from = viewX(run.fromMs);
    return { from, std::round(top + rowHeight() * 0.2),
             std::max(kShortest, viewX(endOf(run, m_nowMs)) - from), std::round(rowHeight() * 0.42) };
}

QRectF ThreadOverview::runRect(int row, int run)
{
    return barOf(row, m_rows[static_cast<std::size_t>(row)].runs[static_cast<std::size_t>(run)]);
}

int ThreadOverview::runAt(int row, double x) const
{
    const auto& runs = m_rows[static_cast<std::size_t>(row)].runs;
    for (std::size_t run = runs.size(); run > 0; --run) {
        const QRectF bar = barOf(row, runs[run - 1]);
        if (x >= bar.left() - 2 && x <= bar.right() + 2)
            return static_cast<int>(run) - 1;
    }
    return -1;
}

QString ThreadOverview::labelOf(const OverviewRow& row) const
{
    const QString label = m_labels.value(row.thread);
    return label.isEmpty() ? row.thread : label;
}

QString ThreadOverview::tipAt(const QPoint& position) const
{
    const int row = rowAt(position.y());
    if (row < 0 || position.x() < header())
        return {};
    const OverviewRow& thread = m_rows[static_cast<std::size_t>(row)];
    const int found = runAt(row, position.x());
    if (found < 0)
        return {};
    const RunSpan& run = thread.runs[static_cast<std::size_t>(found)];
    QString tip =
        tr("%1, %2: %3").arg(labelOf(thread), formatClock(run.fromMs), stateWord(stateOf(run.status)));
    tip += run.steps == 1 ? tr(", 1 step") : tr(", %1 steps").arg(run.steps);
    if (!std::isnan(run.toMs))
        tip += QStringLiteral(", ") + formatDuration((run.toMs - run.fromMs) / 1000);
    for (const SessionSpan& session : thread.sessions)
        if (session.fromMs <= endOf(run, m_nowMs) && !(session.toMs < run.fromMs))
            tip += QLatin1Char('\n') + tr("in session %1").arg(session.session);
    return tip;
}

void ThreadOverview::choose(int row)
{
    if (row < 0 || row >= static_cast<int>(m_rows.size()))
        return;
    m_current = m_rows[static_cast<std::size_t>(row)].thread;
    const int top = static_cast<int>(row * rowHeight());
    QScrollBar* bar = verticalScrollBar();
    if (top < bar->value())
        bar->setValue(top);
    else if (top + rowHeight() > bar->value() + bar->pageStep())
        bar->setValue(static_cast<int>(top + rowHeight()) - bar->pageStep());
    announce();
    viewport()->update();
}

void ThreadOverview::announce()
{
    const int row = currentRow();
    QString words = m_rows.empty() ? tr("No runs yet")
        : m_rows.size() == 1       ? tr("1 thread")
                                   : tr("%1 threads").arg(m_rows.size());
    if (row >= 0) {
        const OverviewRow& thread = m_rows[static_cast<std::size_t>(row)];
        words = (thread.runs.size() == 1 ? tr("%1, %2, %3 run, row %4 of %5")
                                         : tr("%1, %2, %3 runs, row %4 of %5"))
                    .arg(labelOf(thread), stateWord(stateOf(thread.status)))
                    .arg(thread.runs.size())
                    .arg(row + 1)
                    .arg(m_rows.size());
    }
    if (words == accessibleDescription())
        return;
    setAccessibleDescription(words);
    QAccessibleEvent event(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
}

bool ThreadOverview::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QString tip = tipAt(help->pos());
        if (tip.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(),
                               tip.toHtmlEscaped().replace(QLatin1Char('\n'), QStringLiteral("<br>")),
                               viewport());
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void ThreadOverview::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    renewScale();
    updateScrollBars();
}

void ThreadOverview::mousePressEvent(QMouseEvent* event)
{
    const int row = rowAt(event->position().y());
    if (event->button() != Qt::LeftButton || row < 0)
        return;
    choose(row);
    const QString thread = m_current;
    Q_EMIT threadChosen(thread);
    const int run = event->position().x() < header() ? -1 : runAt(row, event->position().x());
    if (run >= 0)
        Q_EMIT momentChosen(
            thread,
            endOf(m_rows[static_cast<std::size_t>(row)].runs[static_cast<std::size_t>(run)], m_nowMs));
}

void ThreadOverview::mouseReleaseEvent(QMouseEvent* event)
{
    event->accept(); // of a press that was taken
}

void ThreadOverview::keyPressEvent(QKeyEvent* event)
{
    QScrollBar* bar = horizontalScrollBar();
    const double middle = header() + (viewport()->width() - header()) / 2;
    const int row = currentRow();
    switch (event->key()) {
    case Qt::Key_Up: choose(std::max(0, row - 1)); break;
    case Qt::Key_Down: choose(row + 1); break;
    case Qt::Key_Home: choose(0); break;
    case Qt::Key_End: choose(static_cast<int>(m_rows.size()) - 1); break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (row >= 0)
            Q_EMIT threadChosen(m_current);
        break;
    case Qt::Key_W:
    case Qt::Key_Plus: zoomTo(m_zoom * kZoomStep, middle); break;
    case Qt::Key_S:
    case Qt::Key_Minus: zoomTo(m_zoom / kZoomStep, middle); break;
    case Qt::Key_0:
    case Qt::Key_1: zoomTo(1, middle); break;
    case Qt::Key_A: bar->setValue(bar->value() - bar->pageStep() / 4); break;
    case Qt::Key_D: bar->setValue(bar->value() + bar->pageStep() / 4); break;
    default: QAbstractScrollArea::keyPressEvent(event);
    }
}

void ThreadOverview::wheelEvent(QWheelEvent* event)
{
    if (!event->modifiers().testFlag(Qt::ControlModifier) || event->angleDelta().y() == 0) {
        QAbstractScrollArea::wheelEvent(event);
        return;
    }
    zoomTo(m_zoom * std::pow(1.2, event->angleDelta().y() / 120.0), event->position().x());
    event->accept();
}

void ThreadOverview::focusInEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update();
}

void ThreadOverview::focusOutEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

} // namespace sg::ui
