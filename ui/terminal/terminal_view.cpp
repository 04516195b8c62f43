#include "ui/terminal/terminal_view.h"

#include "ui/bridge/sessions/terminal_line.h"
#include "ui/terminal/terminal_accessible.h"
#include "ui/terminal/terminal_colours.h"
#include "ui/terminal/terminal_keys.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"

#include <QDateTime>
#include <QDeadlineTimer>
#include <QFontMetricsF>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QTimerEvent>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace sg::ui {
namespace {

constexpr int kMargin = 12;
constexpr int kFrameMs = 16;
constexpr int kTakeMs = 8; // limit for taking output in each frame
constexpr qsizetype kPiece = 1 << 10;
constexpr QSize kFirstGrid(80, 24);

} // namespace

TerminalView::TerminalView(QWidget* parent)
    : QAbstractScrollArea(parent)
    , m_screen(std::make_unique<TerminalScreen>(kFirstGrid))
    , m_font(monoFont(TextSize::Dense))
{
    installTerminalAccessibility(); // before the view's accessibility interface is created
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_InputMethodEnabled);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(tr("Terminal"));
    viewport()->setCursor(Qt::IBeamCursor);
    m_font.setStyleStrategy(QFont::NoFontMerging);
    const QFontMetricsF metrics(m_font);
    m_cellWidth = std::max(1.0, metrics.horizontalAdvance(QLatin1Char('0')));
    m_cellHeight = std::max(1.0, std::ceil(metrics.height()));
    m_ascent = metrics.ascent();
    m_font.setStyleStrategy(QFont::PreferDefault); // missing characters come from other fonts
    connect(verticalScrollBar(), &QScrollBar::valueChanged, viewport(), qOverload<>(&QWidget::update));
}

TerminalView::~TerminalView()
{
    if (m_line)
        m_line->close();
}

void TerminalView::attach(std::shared_ptr<TerminalLine> line)
{
    end();
    m_line = std::move(line);
    m_screen = std::make_unique<TerminalScreen>(grid());
    m_selectFrom = m_selectTo = {};
    m_times.clear();
    m_screen->answered = [this](const QByteArray& bytes) {
        if (m_line)
            m_line->type(bytes);
    };
    m_line->resize({ grid().height(), grid().width() });
    connect(m_line.get(), &TerminalLine::printed, this, [this] {
        if (!m_frame.isActive())
            m_frame.start(kFrameMs, this);
    });
    fitGrid();
    viewport()->update();
}

void TerminalView::end()
{
    m_frame.stop();
    if (!m_line)
        return;
    m_line->disconnect(this);
    m_line->close(); // first, so that no new output replaces what is taken
    while (m_line->holdsMore())
        print(m_line->take(kPiece));
    m_line.reset();
    viewport()->update();
}

QSize TerminalView::grid() const
{
    const QSize room = viewport()->size() - QSize(2 * kMargin, 2 * kMargin);
    return QSize(static_cast<int>(room.width() / m_cellWidth), static_cast<int>(room.height() / m_cellHeight))
        .expandedTo({ 20, 2 });
}

void TerminalView::timerEvent(QTimerEvent* event)
{
    if (event->timerId() != m_frame.timerId()) {
        QAbstractScrollArea::timerEvent(event);
        return;
    }
    // Limited by time instead of bytes, because three bytes may fill the screen.
    const QDeadlineTimer frame(kTakeMs);
    while (m_line && m_line->holdsMore() && !frame.hasExpired())
        print(m_line->take(kPiece));
    if (!m_line || !m_line->holdsMore())
        m_frame.stop();
}

void TerminalView::print(const QByteArray& bytes)
{
    const bool wasAtEnd = verticalScrollBar()->value() >= verticalScrollBar()->maximum();
    const std::int64_t dropped = m_screen->droppedRows();
    m_screen->feed(bytes);
    noteTime();
    followEnd(wasAtEnd && std::isnan(m_moment), dropped);
    viewport()->update();
}

// A row counts from when the cursor first came to it.
void TerminalView::noteTime()
{
    const std::int64_t row = m_screen->droppedRows() + m_screen->cursorRow();
    if (m_times.empty() || row > m_times.back().row)
        m_times.push_back({ static_cast<double>(QDateTime::currentMSecsSinceEpoch()), row });
    while (!m_times.empty() && m_times.front().row < m_screen->droppedRows())
        m_times.pop_front();
}

std::int64_t TerminalView::lastRowThen() const
{
    const auto later = std::ranges::upper_bound(m_times, m_moment, {}, &Printed::timeMs);
    return later == m_times.begin() ? -1 : std::prev(later)->row;
}

int TerminalView::seenRowsBeforeMoment() const
{
    const int rows = m_screen->grid().height();
    if (std::isnan(m_moment))
        return rows;
    const std::int64_t first = m_screen->droppedRows() + verticalScrollBar()->value();
    return static_cast<int>(std::clamp<std::int64_t>(lastRowThen() + 1 - first, 0, rows));
}

void TerminalView::setMoment(double timeMs)
{
    QScrollBar* bar = verticalScrollBar();
    const bool wasPresent = std::isnan(m_moment);
    if (wasPresent && !std::isnan(timeMs))
        m_isHeld = bar->value() >= bar->maximum();
    m_moment = timeMs;
    if (!std::isnan(m_moment)) {
        const int row = static_cast<int>(std::max<std::int64_t>(0, lastRowThen() - m_screen->droppedRows()));
        const int rows = m_screen->grid().height();
        if (row < bar->value() || row >= bar->value() + rows)
            bar->setValue(row - rows * 2 / 3);
    } else if (!wasPresent && m_isHeld) {
        bar->setValue(bar->maximum());
    }
    viewport()->update();
}

void TerminalView::followEnd(bool wasAtEnd, std::int64_t dropped)
{
    QScrollBar* bar = verticalScrollBar();
    const int before = bar->value();
    bar->setPageStep(m_screen->grid().height());
    bar->setRange(0, m_screen->historyRows());
    const auto gone = static_cast<int>(m_screen->droppedRows() - dropped);
    bar->setValue(wasAtEnd ? bar->maximum() : std::max(0, before - gone));
}

void TerminalView::fitGrid()
{
    const bool wasAtEnd = verticalScrollBar()->value() >= verticalScrollBar()->maximum();
    const std::int64_t dropped = m_screen->droppedRows();
    m_screen->resize(grid());
    followEnd(wasAtEnd, dropped);
    if (m_line)
        m_line->resize({ m_screen->grid().height(), m_screen->grid().width() });
}

void TerminalView::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    fitGrid();
}

QRectF TerminalView::cellRect(int seenRow, int column, int columns) const
{
    return { kMargin + column * m_cellWidth, kMargin + seenRow * m_cellHeight, columns * m_cellWidth,
             m_cellHeight };
}

void TerminalView::paintEvent(QPaintEvent*)
{
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), color(&Tokens::terminal));
    painter.setFont(m_font);
    const int top = verticalScrollBar()->value();
    for (int seen = 0; seen < m_screen->grid().height(); ++seen) {
        paintRow(painter, seen, m_screen->row(top + seen));
        paintSelection(painter, seen);
    }
    if (const int before = seenRowsBeforeMoment(); before < m_screen->grid().height()) {
        QColor veil = color(&Tokens::terminal);
        veil.setAlphaF(0.55F);
        QRectF later = cellRect(before, 0, m_screen->grid().width());
        later.setBottom(viewport()->height());
        painter.fillRect(later, veil);
        painter.fillRect(QRectF(0, later.top(), viewport()->width(), 1), color(&Tokens::accent));
    }
    paintCursor(painter);
}

void TerminalView::paintRow(QPainter& painter, int seenRow, const TerminalRow& row) const
{
    const QRgb blank = tokens().terminal;
    for (const CellRun& run : row) {
        const QRectF place = cellRect(seenRow, run.column, run.columns);
        if (const QRgb ground = groundOf(run.look); ground != blank)
            painter.fillRect(place, QColor::fromRgba(ground));
        if (run.text.trimmed().isEmpty() && !run.look.isUnderlined && !run.look.isStruck)
            continue;
        QFont font = m_font;
        font.setBold(run.look.isBold);
        font.setItalic(run.look.isItalic);
        font.setUnderline(run.look.isUnderlined);
        font.setStrikeOut(run.look.isStruck);
        painter.setFont(font);
        painter.setPen(QColor::fromRgba(inkOf(run.look)));
        painter.drawText(QPointF(place.left(), place.top() + m_ascent), run.text);
    }
}

void TerminalView::paintSelection(QPainter& painter, int seenRow) const
{
    const auto [from, to] = std::minmax(m_selectFrom, m_selectTo);
    const std::int64_t row = m_screen->droppedRows() + verticalScrollBar()->value() + seenRow;
    if (from == to || row < from.row || row > to.row)
        return;
    const int left = row == from.row ? from.column : 0;
    const int right = row == to.row ? to.column : m_screen->grid().width();
    QColor shade = color(&Tokens::accent);
    shade.setAlphaF(0.28F);
    painter.fillRect(cellRect(seenRow, left, std::max(0, right - left)), shade);
}

void TerminalView::paintCursor(QPainter& painter) const
{
    const int seen = m_screen->cursorRow() - verticalScrollBar()->value();
    if (!m_line || !m_screen->isCursorSeen() || seen >= m_screen->grid().height())
        return;
    QRectF place = cellRect(seen, m_screen->cursorColumn(), 1);
    QColor ink = color(hasFocus() ? &Tokens::accent : &Tokens::muted);
    if (hasFocus()) {
        ink.setAlphaF(0.55F);
        painter.fillRect(place, ink);
        return;
    }
    painter.setPen(ink);
    painter.drawRect(place.adjusted(0.5, 0.5, -0.5, -0.5));
}

void TerminalView::focusInEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update();
}

void TerminalView::focusOutEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

QString TerminalView::seenText() const
{
    QString text;
    const int top = verticalScrollBar()->value();
    for (int seen = 0; seen < m_screen->grid().height(); ++seen)
        text += m_screen->text(top + seen) + QLatin1Char('\n');
    return text;
}

} // namespace sg::ui
