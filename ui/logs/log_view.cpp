#include "ui/logs/log_view.h"

#include "ui/widgets/fonts.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/time_format.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace sg::ui {

namespace {

constexpr qsizetype kMostPainted = 2000; // characters of one line; the rest is copied, not drawn
constexpr int kNodeLetters = 14; // at most, wide

} // namespace

int logRowHeight()
{
    return scaledLength(20);
}

struct LogView::Columns {
    QFont font;
    double time;
    double step; // its right edge
    double node;
    double stream;
    double text;
    double digit;
};

LogView::LogView(QWidget* parent)
    : QAbstractScrollArea(parent)
{
    setObjectName(QStringLiteral("logView"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Log"));
    setCursor(Qt::ArrowCursor);
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, &LogView::scrolled);
}

void LogView::clear()
{
    reset({});
}

void LogView::reset(const std::vector<LogRow>& rows)
{
    m_rows.clear();
    m_hasSelection = false;
    m_widestText = 0;
    m_rows.append(rows);
    setFollowing(true);
    updateScrollBars();
    Q_EMIT countsChanged();
}

void LogView::append(const std::vector<LogRow>& rows)
{
    const std::size_t first =
        m_rows.shown() == 0 ? 0 : m_rows.numberAt(static_cast<std::size_t>(verticalScrollBar()->value()));
    m_rows.append(rows);
    updateScrollBars();
    if (!m_following && m_rows.shown() > 0) { // what is being read stays in place
        m_settling = true;
        verticalScrollBar()->setValue(static_cast<int>(m_rows.placeOf(first)));
        m_settling = false;
    }
    Q_EMIT countsChanged();
}

void LogView::setFilter(const LogFilter& filter)
{
    m_rows.setFilter(filter);
    m_hasSelection = false;
    updateScrollBars();
    Q_EMIT countsChanged();
}

void LogView::setFollowing(bool following)
{
    const bool changed = m_following != following;
    m_following = following;
    if (following)
        updateScrollBars();
    if (changed)
        Q_EMIT followingChanged(following);
}

LogView::Columns LogView::columns() const
{
    Columns made{ monoFont(), 0, 0, 0, 0, 0, 0 };
    made.digit = QFontMetricsF(made.font).horizontalAdvance(QLatin1Char('0'));
    made.time = scaledLength(12);
    made.step = made.time + std::max<double>(scaledLength(112), 12 * made.digit + 24) + scaledLength(8);
    made.node = made.step + scaledLength(12);
    made.stream = made.node + std::max<double>(scaledLength(88), kNodeLetters * made.digit);
    made.text = made.stream + std::max<double>(scaledLength(48), 6 * made.digit);
    return made;
}

int LogView::rowsVisible() const
{
    return std::max(1, viewport()->height() / logRowHeight());
}

void LogView::updateScrollBars()
{
    m_settling = true;
    const int shown = static_cast<int>(m_rows.shown());
    verticalScrollBar()->setRange(0, std::max(0, shown - rowsVisible()));
    verticalScrollBar()->setPageStep(rowsVisible());
    verticalScrollBar()->setSingleStep(1);
    if (m_following)
        verticalScrollBar()->setValue(verticalScrollBar()->maximum());
    const int width = static_cast<int>(columns().text + m_widestText) + scaledLength(12);
    horizontalScrollBar()->setRange(0, std::max(0, width - viewport()->width()));
    horizontalScrollBar()->setPageStep(viewport()->width());
    horizontalScrollBar()->setSingleStep(scaledLength(40));
    m_settling = false;
    viewport()->update();
}

void LogView::scrolled(int value)
{
    if (!m_settling)
        setFollowing(value == verticalScrollBar()->maximum());
}

void LogView::scrollContentsBy(int, int)
{
    viewport()->update();
}

void LogView::paintEvent(QPaintEvent*)
{
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), color(&Tokens::base));
    const Columns at = columns();
    painter.setFont(at.font);
    const auto first = static_cast<std::size_t>(verticalScrollBar()->value());
    const double widest = m_widestText;
    double top = 0;
    for (std::size_t index = first; index < m_rows.shown() && top < viewport()->height(); ++index) {
        paintRow(painter, at, index, top);
        const double text = std::min(kMostPainted, m_rows.at(index).text.size()) * at.digit;
        m_widestText = std::max(m_widestText, text);
        top += logRowHeight();
    }
    if (m_widestText > widest)
        QMetaObject::invokeMethod(this, &LogView::updateScrollBars, Qt::QueuedConnection);
}

void LogView::paintRow(QPainter& painter, const Columns& at, std::size_t index, double top) const
{
    const LogRow& row = m_rows.at(index);
    const std::size_t number = m_rows.numberAt(index);
    const bool selected =
        m_hasSelection && number >= std::min(m_anchor, m_cursor) && number <= std::max(m_anchor, m_cursor);
    const bool isErr = row.stream == LogRow::Stream::Err;
    const QRectF line(0, top, viewport()->width(), logRowHeight());
    if (selected)
        painter.fillRect(line, color(&Tokens::selection));
    else if (isErr)
        painter.fillRect(line, color(&Tokens::alt));
    if (isErr) // much on stderr is no error: a quiet edge, not the colour of failure
        painter.fillRect(QRectF(0, top, 3, line.height()), color(&Tokens::strong));

    const Token quiet = selected ? &Tokens::text : &Tokens::muted;
    const QFontMetricsF metrics(at.font);
    const double shift = horizontalScrollBar()->value();
    const auto put = [&](double left, double right, Token ink, const QString& text,
                         Qt::AlignmentFlag side = Qt::AlignLeft) {
        painter.setPen(color(ink));
        painter.drawText(QRectF(left, top, right - left, line.height()),
                         side | Qt::AlignVCenter | Qt::TextSingleLine, text);
    };
    painter.save();
    painter.translate(-shift, 0);
    put(at.time, at.step, quiet, formatClockMs(row.timeMs));
    put(at.time, at.step, quiet, QString::number(row.step), Qt::AlignRight);
    put(at.node, at.stream, selected ? &Tokens::text : &Tokens::text2,
        metrics.elidedText(row.node, Qt::ElideRight, at.stream - at.node - at.digit));
    put(at.stream, at.text, quiet, streamWord(row.stream));
    const Token ink = row.stream == LogRow::Stream::Event && !selected ? &Tokens::text2 : &Tokens::text;
    put(at.text, shift + viewport()->width(), ink, row.text.left(kMostPainted));
    painter.restore();
    if (m_hasSelection && number == m_cursor && hasFocus()) {
        painter.setPen(color(&Tokens::accent));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(line.adjusted(0.5, 0.5, -1.5, -0.5));
    }
}

bool LogView::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::ToolTip && m_rows.shown() > 0) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const LogRow& row = m_rows.at(indexAt(help->pos()));
        const Columns at = columns();
        const bool isCut = at.text + static_cast<double>(row.text.size()) * at.digit > viewport()->width();
        if (isCut && help->pos().x() >= at.text)
            QToolTip::showText(help->globalPos(),
                               QStringLiteral("<p>%1</p>").arg(row.text.left(kMostPainted).toHtmlEscaped()),
                               viewport());
        else
            QToolTip::hideText();
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void LogView::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    updateScrollBars();
}

void LogView::changeEvent(QEvent* event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::ApplicationFontChange)
        updateScrollBars();
}

} // namespace sg::ui
