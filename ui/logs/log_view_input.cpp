#include "ui/logs/log_view.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"

#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QDrag>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMenu>
#include <QMimeData>
#include <QMouseEvent>
#include <QScrollBar>

#include <algorithm>
#include <cmath>
#include <utility>

// Selection by mouse, keys and search, and copying.
namespace sg::ui {
namespace {

constexpr std::size_t kMostCopied = 200'000; // lines
constexpr auto kFirstSearch = std::chrono::milliseconds(40); // enough for most searches
constexpr auto kNextSearch = std::chrono::milliseconds(12); // of each further turn of the event loop

} // namespace

std::size_t LogView::indexAt(const QPoint& position) const
{
    const int row = verticalScrollBar()->value()
        + static_cast<int>(std::floor(static_cast<double>(position.y()) / logRowHeight()));
    return static_cast<std::size_t>(std::clamp(row, 0, static_cast<int>(m_rows.shown()) - 1));
}

void LogView::moveTo(std::size_t index, bool extend)
{
    m_cursor = m_rows.numberAt(index);
    if (!extend || !m_hasSelection)
        m_anchor = m_cursor;
    m_hasSelection = true;
    const int place = static_cast<int>(index);
    if (place < verticalScrollBar()->value())
        verticalScrollBar()->setValue(place);
    else if (place >= verticalScrollBar()->value() + rowsVisible())
        verticalScrollBar()->setValue(place - rowsVisible() + 1);
    announce();
    viewport()->update();
}

void LogView::announce()
{
    setAccessibleDescription(logLine(m_rows.at(m_rows.placeOf(m_cursor))));
    QAccessibleEvent event(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
}

void LogView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || m_rows.shown() == 0)
        return;
    if (event->pos().x() < scaledLength(20)) {
        const std::size_t index = indexAt(event->pos());
        fold(index, !m_rows.foldAt(index).isFolded);
        return;
    }
    const bool extends = event->modifiers().testFlag(Qt::ShiftModifier);
    const std::size_t index = indexAt(event->pos());
    m_dragFrom.reset();
    if (!extends && isSelected(index))
        m_dragFrom = event->pos();
    else
        moveTo(index, extends);
}

void LogView::mouseMoveEvent(QMouseEvent* event)
{
    if (!event->buttons().testFlag(Qt::LeftButton) || m_rows.shown() == 0)
        return;
    if (!m_dragFrom)
        moveTo(indexAt(event->pos()), true);
    else if ((event->pos() - *m_dragFrom).manhattanLength() >= QApplication::startDragDistance())
        dragSelected();
}

void LogView::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && std::exchange(m_dragFrom, std::nullopt) && m_rows.shown() > 0)
        moveTo(indexAt(event->pos()), false);
    QAbstractScrollArea::mouseReleaseEvent(event);
}

bool LogView::isSelected(std::size_t index) const
{
    const std::size_t number = m_rows.numberAt(index);
    return m_hasSelection && number >= std::min(m_anchor, m_cursor) && number <= std::max(m_anchor, m_cursor);
}

void LogView::dragSelected()
{
    m_dragFrom.reset();
    auto* offered = new QMimeData;
    offered->setText(selectedText());
    auto* drag = new QDrag(this);
    drag->setMimeData(offered);
    drag->exec(Qt::CopyAction);
}

void LogView::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && m_rows.shown() > 0 && event->pos().x() >= scaledLength(20))
        Q_EMIT momentRequested(m_rows.at(indexAt(event->pos())));
}

void LogView::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy)) {
        copy();
        return;
    }
    if (m_rows.shown() == 0) {
        QAbstractScrollArea::keyPressEvent(event);
        return;
    }
    const int last = static_cast<int>(m_rows.shown()) - 1;
    if (event->matches(QKeySequence::SelectAll)) {
        m_anchor = m_rows.numberAt(0);
        m_cursor = m_rows.numberAt(static_cast<std::size_t>(last));
        m_hasSelection = true;
        viewport()->update();
        return;
    }
    const int current =
        m_hasSelection ? static_cast<int>(m_rows.placeOf(m_cursor)) : verticalScrollBar()->value() - 1;
    int wanted = current;
    switch (event->key()) {
    case Qt::Key_Up: wanted = current - 1; break;
    case Qt::Key_Down: wanted = current + 1; break;
    case Qt::Key_PageUp: wanted = current - rowsVisible(); break;
    case Qt::Key_PageDown: wanted = current + rowsVisible(); break;
    case Qt::Key_Left:
    case Qt::Key_Right:
        if (m_hasSelection && current <= last)
            fold(static_cast<std::size_t>(current), event->key() == Qt::Key_Left);
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_hasSelection && current <= last)
            Q_EMIT momentRequested(m_rows.at(static_cast<std::size_t>(current)));
        return;
    case Qt::Key_Home: wanted = 0; break;
    case Qt::Key_End: wanted = last; break;
    default: QAbstractScrollArea::keyPressEvent(event); return;
    }
    moveTo(static_cast<std::size_t>(std::clamp(wanted, 0, last)),
           event->modifiers().testFlag(Qt::ShiftModifier));
    if (event->key() == Qt::Key_End)
        setFollowing(true);
}

void LogView::setFound(const QString& word)
{
    m_found = word.isEmpty() ? std::nullopt : std::optional<LogPattern>(word);
    m_search.reset();
    viewport()->update();
}

void LogView::findNext(bool backwards)
{
    if (!m_found || m_rows.shown() == 0) {
        Q_EMIT searchEnded(false);
        return;
    }
    const std::size_t last = m_rows.shown() - 1;
    const std::size_t start = m_hasSelection ? std::min(m_rows.placeOf(m_cursor), last)
        : backwards                          ? 0
                                             : last;
    m_search = m_rows.searchFrom(*m_found, start, backwards);
    search(kFirstSearch);
}

void LogView::goOnSearching()
{
    search(kNextSearch);
}

void LogView::search(std::chrono::milliseconds budget)
{
    const auto found = m_search ? m_rows.find(*m_search, budget) : std::nullopt;
    const bool goesOn = m_search && !m_search->isDone;
    if (goesOn) {
        m_searching.start();
        return;
    }
    m_searching.stop();
    if (!m_search) // the search was cancelled
        return;
    m_search.reset();
    if (found) {
        setFollowing(false);
        moveTo(*found, false);
    }
    Q_EMIT searchEnded(found.has_value());
}

QString LogView::selectedText() const
{
    QStringList lines;
    if (m_hasSelection) {
        const std::size_t from = m_rows.placeOf(std::min(m_anchor, m_cursor));
        const std::size_t to = std::min(
            { m_rows.placeOf(std::max(m_anchor, m_cursor) + 1), m_rows.shown(), from + kMostCopied });
        for (std::size_t index = from; index < to; ++index)
            lines << logLine(m_rows.at(index));
    }
    return lines.join(QLatin1Char('\n'));
}

void LogView::copy() const
{
    if (const QString text = selectedText(); !text.isEmpty())
        QGuiApplication::clipboard()->setText(text);
}

void LogView::contextMenuEvent(QContextMenuEvent* event)
{
    QMenu menu(this);
    QAction* copying = menu.addAction(icon(QLatin1String("copy")), tr("Copy lines"), QKeySequence::Copy, this,
                                      &LogView::copy);
    copying->setEnabled(m_hasSelection);
    QPoint at = viewport()->mapFromGlobal(event->globalPos());
    if (m_rows.shown() > 0) {
        std::size_t index = indexAt(at);
        if (event->reason() == QContextMenuEvent::Keyboard && m_hasSelection) { // independent of the pointer
            index = std::min(m_rows.placeOf(m_cursor), m_rows.shown() - 1);
            const int line = static_cast<int>(index) - verticalScrollBar()->value();
            at = { scaledLength(24), std::clamp(line + 1, 0, rowsVisible()) * logRowHeight() };
        }
        menu.addAction(icon(QLatin1String("clock")), tr("Look at this moment"), this,
                       [this, row = m_rows.at(index)] { Q_EMIT momentRequested(row); });
    }
    menu.addAction(tr("Fold all"), this, [this] { setAllFolded(true); });
    menu.addAction(tr("Unfold all"), this, [this] { setAllFolded(false); });
    menu.addAction(icon(QLatin1String("follow")), tr("Jump to end"), this, [this] { setFollowing(true); });
    menu.exec(viewport()->mapToGlobal(at));
}

} // namespace sg::ui
