#include "ui/logs/log_view.h"

#include "ui/widgets/chip.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/style.h"
#include "ui/widgets/time_format.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace sg::ui {

namespace {

constexpr qsizetype kMostPainted = 2000; // characters of each line; copies have them all
constexpr int kNodeLetters = 14; // width of the column
constexpr auto kFirstScan = std::chrono::milliseconds(40); // of the first scan, which blocks
constexpr auto kNextScan = std::chrono::milliseconds(12); // of each further turn of the event loop

// Maps a terminal's 16 colours to the nearest ones of the theme.
Token tokenOf(quint8 ink)
{
    static constexpr Token kInks[] = { &Tokens::muted,   &Tokens::failed,      &Tokens::codeString,
                                       &Tokens::warn,    &Tokens::codeKeyword, &Tokens::waiting,
                                       &Tokens::running, &Tokens::text2 };
    return ink == 0 ? &Tokens::text : kInks[(ink - 1) % 8];
}

} // namespace

int logRowHeight()
{
    return scaledLength(20);
}

struct LogView::Columns {
    QFont font;
    double fold;
    double time;
    double step; // its right edge
    double node;
    double stream;
    double text;
    double digit;
};

LogView::LogView(QWidget* parent)
    : QAbstractScrollArea(parent)
    , m_jump(new QPushButton(icon(QLatin1String("follow")), tr("Jump to end"), viewport()))
{
    m_jump->setObjectName(QStringLiteral("logJump"));
    m_jump->setFocusPolicy(Qt::NoFocus);
    makeDense(m_jump);
    m_jump->hide();
    m_scan.setInterval(0);
    connect(m_jump, &QPushButton::clicked, this, [this] { setFollowing(true); });
    connect(&m_scan, &QTimer::timeout, this, &LogView::scan);
    m_searching.setInterval(0);
    connect(&m_searching, &QTimer::timeout, this, &LogView::goOnSearching);
    setObjectName(QStringLiteral("logView"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Log lines"));
    setCursor(Qt::ArrowCursor);
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, &LogView::scrolled);
}

void LogView::clear()
{
    reset({});
}

void LogView::reset(const std::vector<LogRow>& rows)
{
    const bool isRead = !m_following && m_rows.shown() > 0 && !rows.empty();
    const double top = isRead ? m_rows.at(static_cast<std::size_t>(verticalScrollBar()->value())).timeMs : 0;
    m_rows.clear();
    m_hasSelection = false;
    giveUpSearch();
    m_widestText = 0;
    m_rows.append(rows);
    if (!isRead)
        setFollowing(true);
    refiltered();
    if (isRead) {
        m_settling = true;
        verticalScrollBar()->setValue(static_cast<int>(m_rows.firstAfter(std::nextafter(top, 0))));
        m_settling = false;
    } else {
        showMoment(); // it may have been chosen before its rows came
    }
}

void LogView::append(const std::vector<LogRow>& rows)
{
    const std::size_t first =
        m_rows.shown() == 0 ? 0 : m_rows.numberAt(static_cast<std::size_t>(verticalScrollBar()->value()));
    m_rows.append(rows);
    updateScrollBars();
    if (!m_following && m_rows.shown() > 0) { // keeps the rows that the user reads in place
        m_settling = true;
        verticalScrollBar()->setValue(static_cast<int>(m_rows.placeOf(first)));
        m_settling = false;
    }
    Q_EMIT countsChanged();
}

void LogView::giveUpSearch()
{
    if (!m_search)
        return;
    m_search.reset();
    m_searching.stop();
    Q_EMIT searchEnded(true); // true, because the search did not reach the end, so "not found" would be wrong
}

void LogView::setFilter(const LogFilter& filter)
{
    m_rows.setFilter(filter);
    m_hasSelection = false;
    giveUpSearch();
    refiltered();
}

void LogView::setAllFolded(bool folded)
{
    m_rows.setAllFolded(folded);
    refiltered();
}

void LogView::fold(std::size_t index, bool folded)
{
    const LogRows::Fold fold = m_rows.foldAt(index);
    if (fold.lines == 0 || fold.isFolded == folded)
        return;
    setFollowing(false);
    m_rows.setFolded(index, folded);
    refiltered();
}

void LogView::refiltered()
{
    if (m_rows.scan(kFirstScan))
        m_scan.stop();
    else
        m_scan.start();
    updateScrollBars();
    Q_EMIT countsChanged();
}

void LogView::scan()
{
    if (m_rows.scan(kNextScan))
        m_scan.stop();
    updateScrollBars();
    Q_EMIT countsChanged();
}

void LogView::setMoment(double timeMs)
{
    m_moment = timeMs;
    if (std::isnan(m_moment) && m_isHeld)
        setFollowing(true);
    viewport()->update();
}

void LogView::showMoment()
{
    if (std::isnan(m_moment) || m_rows.shown() == 0)
        return;
    const bool isHeld = m_isHeld || m_following;
    setFollowing(false);
    m_isHeld = isHeld;
    const int place = static_cast<int>(m_rows.firstAfter(m_moment));
    const int top = verticalScrollBar()->value();
    m_settling = true;
    if (place <= top || place >= top + rowsVisible())
        verticalScrollBar()->setValue(place - rowsVisible() * 2 / 3);
    m_settling = false;
    placeJump();
}

void LogView::setFollowing(bool following)
{
    const bool changed = m_following != following;
    m_following = following;
    m_isHeld = false;
    if (following)
        updateScrollBars();
    if (changed)
        Q_EMIT followingChanged(following);
}

LogView::Columns LogView::columns() const
{
    Columns made{ monoFont(), 0, 0, 0, 0, 0, 0, 0 };
    made.digit = QFontMetricsF(made.font).horizontalAdvance(QLatin1Char('0'));
    made.fold = scaledLength(6);
    made.time = made.fold + scaledLength(16);
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
    placeJump();
    viewport()->update();
}

void LogView::placeJump()
{
    m_jump->setVisible(!m_following && verticalScrollBar()->value() < verticalScrollBar()->maximum());
    m_jump->adjustSize();
    m_jump->move(viewport()->width() - m_jump->width() - 12, viewport()->height() - m_jump->height() - 8);
}

void LogView::scrolled(int value)
{
    if (!m_settling) {
        const bool isHeld = m_isHeld && value != verticalScrollBar()->maximum();
        setFollowing(value == verticalScrollBar()->maximum());
        m_isHeld = isHeld; // scrolling around does not end it
    }
    placeJump();
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
        const double text = paintRow(painter, at, index, top) * at.digit;
        m_widestText = std::max(m_widestText, text);
        top += logRowHeight();
    }
    if (!std::isnan(m_moment) && m_rows.shown() > 0) {
        const double line =
            (static_cast<double>(m_rows.firstAfter(m_moment)) - static_cast<double>(first)) * logRowHeight();
        painter.fillRect(QRectF(0, line - 0.75, viewport()->width(), 1.5), color(&Tokens::accent));
    }
    if (m_widestText > widest)
        QMetaObject::invokeMethod(this, &LogView::updateScrollBars, Qt::QueuedConnection);
}

qsizetype LogView::paintRow(QPainter& painter, const Columns& at, std::size_t index, double top) const
{
    const LogRow row = m_rows.at(index);
    const std::size_t number = m_rows.numberAt(index);
    const bool selected =
        m_hasSelection && number >= std::min(m_anchor, m_cursor) && number <= std::max(m_anchor, m_cursor);
    const bool isErr = row.stream == LogRow::Stream::Err;
    const QRectF line(0, top, viewport()->width(), logRowHeight());
    if (selected)
        painter.fillRect(line, color(&Tokens::selection));
    else if (row.isFailure)
        painter.fillRect(line, color(&Tokens::failedTint));
    else if (isErr)
        painter.fillRect(line, color(&Tokens::alt));
    if (row.isFailure)
        painter.fillRect(QRectF(0, top, 3, line.height()), color(&Tokens::failed));
    else if (isErr) // much on stderr is no error: a quiet edge, not the colour of failure
        painter.fillRect(QRectF(0, top, 3, line.height()), color(&Tokens::strong));

    const bool isLater = row.timeMs > m_moment; // false without a viewed time
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
    if (row.step != LogRow::kNoStep)
        put(at.time, at.step, quiet, QString::number(row.step), Qt::AlignRight);
    put(at.node, at.stream,
        selected      ? &Tokens::text
            : isLater ? &Tokens::muted
                      : &Tokens::text2,
        metrics.elidedText(row.node, Qt::ElideRight, at.stream - at.node - at.digit));
    put(at.stream, at.text, quiet, streamWord(row.stream));
    const Token ink = selected                                      ? &Tokens::text
        : isLater                                                   ? &Tokens::muted
        : row.isFailure                                             ? &Tokens::text
        : row.stream == LogRow::Stream::Event || row.text.isEmpty() ? &Tokens::text2
                                                                    : &Tokens::text;
    paintFound(painter, at, row, top);
    if (row.spans.empty() || selected || isLater)
        put(at.text, shift + viewport()->width(), ink, row.text.left(kMostPainted));
    else
        paintText(painter, at, row, top, tokens().*ink);
    paintPicture(painter, at, row, top);
    paintFold(painter, at, index, top);
    painter.restore();
    if (m_hasSelection && number == m_cursor && hasFocus()) {
        painter.setPen(color(&Tokens::accent));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(line.adjusted(0.5, 0.5, -1.5, -0.5));
    }
    return std::min(kMostPainted, row.text.size());
}

void LogView::paintFold(QPainter& painter, const Columns& at, std::size_t index, double top) const
{
    const LogRows::Fold fold = m_rows.foldAt(index);
    if (fold.lines == 0)
        return;
    const double side = scaledLength(12);
    paintIcon(painter, fold.isFolded ? QLatin1String("right") : QLatin1String("down"),
              QRectF(at.fold, top + (logRowHeight() - side) / 2, side, side), color(&Tokens::muted));
    if (!fold.isFolded)
        return;
    const double text = static_cast<double>(std::min(kMostPainted, m_rows.at(index).text.size())) * at.digit;
    paintChip(painter, { {}, tr("%1 lines").arg(fold.lines) },
              { at.text + text + 12, top + logRowHeight() / 2.0 });
}

// Each run has one look. The font is monospaced, so positions are multiples of a character's width.
void LogView::paintText(QPainter& painter, const Columns& at, const LogRow& row, double top, QRgb ink) const
{
    const QString text = row.text.left(kMostPainted);
    const auto run = [&](qsizetype from, qsizetype to, const TextSpan& look) {
        if (to <= from)
            return;
        QFont font = at.font;
        font.setBold(look.isBold);
        font.setItalic(look.isItalic);
        font.setUnderline(look.isUnderlined);
        painter.setFont(font);
        painter.setPen(look.isFaint        ? color(&Tokens::muted)
                           : look.ink != 0 ? color(tokenOf(look.ink))
                                           : QColor::fromRgba(ink));
        painter.drawText(QRectF(at.text + static_cast<double>(from) * at.digit, top,
                                static_cast<double>(to - from + 1) * at.digit + viewport()->width(),
                                logRowHeight()),
                         Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, text.mid(from, to - from));
    };
    qsizetype done = 0;
    for (const TextSpan& span : row.spans) {
        const qsizetype from = std::min<qsizetype>(span.start, text.size());
        run(done, from, {});
        done = std::min<qsizetype>(from + span.length, text.size());
        run(from, done, span);
    }
    run(done, text.size(), {});
    painter.setFont(at.font);
}

// Behind the text, as high as the row.
void LogView::paintPicture(QPainter& painter, const Columns& at, const LogRow& row, double top) const
{
    const QImage* picture = m_pictures.of(row);
    if (picture == nullptr)
        return;
    const double height = logRowHeight() - 2;
    const double width = height * picture->width() / picture->height();
    const double left = at.text + static_cast<double>(row.text.size() + 1) * at.digit;
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.drawImage(QRectF(left, top + 1, width, height), *picture);
}

void LogView::addPicture(const QString& name, const QImage& picture)
{
    m_pictures.add(name, picture);
    viewport()->update();
}

void LogView::paintFound(QPainter& painter, const Columns& at, const LogRow& row, double top) const
{
    if (!m_found)
        return;
    const LogPattern& pattern = *m_found;
    const QString text = row.text.left(kMostPainted);
    qsizetype length = 0;
    for (qsizetype place = 0; (place = pattern.indexIn(text, place, length)) >= 0 && length > 0;
         place += length)
        painter.fillRect(QRectF(at.text + static_cast<double>(place) * at.digit, top + 2,
                                static_cast<double>(length) * at.digit, logRowHeight() - 4),
                         color(&Tokens::warnTint));
}

bool LogView::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::ToolTip && m_rows.shown() > 0) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const LogRow row = m_rows.at(indexAt(help->pos()));
        const Columns at = columns();
        if (const QImage* picture = m_pictures.of(row); picture != nullptr && help->pos().x() >= at.text) {
            QToolTip::showText(help->globalPos(), LogPictures::toolTip(*picture, LogPictures::nameIn(row)),
                               viewport());
            return true;
        }
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
