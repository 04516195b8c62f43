#include "ui/bridge/sessions/terminal_line.h"
#include "ui/terminal/terminal_keys.h"
#include "ui/terminal/terminal_view.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QInputMethodEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QScrollBar>

#include <algorithm>

// Keyboard and mouse of the terminal view.
namespace sg::ui {
namespace {

bool isWordLetter(QChar letter)
{
    return letter.isLetterOrNumber() || QStringLiteral("_-./~:@%+").contains(letter);
}

} // namespace

bool TerminalView::event(QEvent* event)
{
    // The window's shortcuts would otherwise take Ctrl+C, Ctrl+S and others from the shell.
    if (event->type() == QEvent::ShortcutOverride && m_line) {
        const auto& key = static_cast<const QKeyEvent&>(*event);
        if (!isOfTheWindow(key)) {
            event->accept();
            return true;
        }
    }
    return QAbstractScrollArea::event(event);
}

void TerminalView::keyPressEvent(QKeyEvent* event)
{
    QScrollBar* bar = verticalScrollBar();
    const bool isShift = event->modifiers() == Qt::ShiftModifier;
    if (event->modifiers() == (Qt::ControlModifier | Qt::ShiftModifier) && event->key() == Qt::Key_C) {
        copy();
    } else if (event->modifiers() == (Qt::ControlModifier | Qt::ShiftModifier) && event->key() == Qt::Key_V) {
        paste();
    } else if (isShift && (event->key() == Qt::Key_PageUp || event->key() == Qt::Key_PageDown)) {
        bar->triggerAction(event->key() == Qt::Key_PageUp ? QScrollBar::SliderPageStepSub
                                                          : QScrollBar::SliderPageStepAdd);
    } else if (!m_line || isOfTheWindow(*event)) {
        QAbstractScrollArea::keyPressEvent(event);
        return;
    } else if (const QByteArray bytes = keyBytes(*event, m_screen->takesArrowsAsKeys()); !bytes.isEmpty()) {
        m_line->type(bytes);
        bar->setValue(bar->maximum());
    }
    event->accept();
}

void TerminalView::inputMethodEvent(QInputMethodEvent* event)
{
    if (m_line)
        m_line->type(event->commitString().toUtf8());
    event->accept();
}

QVariant TerminalView::inputMethodQuery(Qt::InputMethodQuery query) const
{
    if (query == Qt::ImCursorRectangle)
        return cellRect(m_screen->cursorRow() - verticalScrollBar()->value(), m_screen->cursorColumn(), 1)
            .toRect();
    return QAbstractScrollArea::inputMethodQuery(query);
}

TerminalView::Place TerminalView::placeAt(const QPointF& point) const
{
    const QRectF first = cellRect(0, 0, 1);
    const int seen = std::clamp(static_cast<int>((point.y() - first.top()) / first.height()), 0,
                                m_screen->grid().height() - 1);
    const int column = std::clamp(static_cast<int>((point.x() - first.left()) / first.width() + 0.5), 0,
                                  m_screen->grid().width());
    return { m_screen->droppedRows() + verticalScrollBar()->value() + seen, column };
}

void TerminalView::select(Place from, Place to)
{
    m_selectFrom = from;
    m_selectTo = to;
    viewport()->update();
}

void TerminalView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        select(placeAt(event->position()), placeAt(event->position()));
    else if (event->button() == Qt::MiddleButton && m_line && QApplication::clipboard()->supportsSelection())
        m_line->type(
            pasteBytes(QApplication::clipboard()->text(QClipboard::Selection), m_screen->tellsPastes()));
}

void TerminalView::mouseMoveEvent(QMouseEvent* event)
{
    if (event->buttons().testFlag(Qt::LeftButton))
        select(m_selectFrom, placeAt(event->position()));
}

void TerminalView::mouseReleaseEvent(QMouseEvent* event)
{
    QClipboard* clipboard = QApplication::clipboard();
    if (event->button() == Qt::LeftButton && m_selectFrom != m_selectTo && clipboard->supportsSelection())
        clipboard->setText(selectedText(), QClipboard::Selection);
}

// Selects a word.
void TerminalView::mouseDoubleClickEvent(QMouseEvent* event)
{
    Place from = placeAt(event->position());
    Place to = from;
    const auto isWord = [&](int column) {
        const QString letter =
            m_screen->text(static_cast<int>(from.row - m_screen->droppedRows()), column, column + 1);
        return !letter.isEmpty() && isWordLetter(letter.front());
    };
    while (from.column > 0 && isWord(from.column - 1))
        --from.column;
    while (to.column < m_screen->grid().width() && isWord(to.column))
        ++to.column;
    select(from, to);
}

QString TerminalView::selectedText() const
{
    const auto [from, to] = std::minmax(m_selectFrom, m_selectTo);
    QStringList lines;
    for (std::int64_t row = from.row; row <= to.row && from != to; ++row) {
        const int left = row == from.row ? from.column : 0;
        const int right = row == to.row ? to.column : m_screen->grid().width();
        lines << m_screen->text(static_cast<int>(row - m_screen->droppedRows()), left, right);
    }
    return lines.join(QLatin1Char('\n'));
}

void TerminalView::copy() const
{
    if (const QString text = selectedText(); !text.isEmpty())
        QApplication::clipboard()->setText(text);
}

void TerminalView::paste()
{
    if (m_line)
        m_line->type(pasteBytes(QApplication::clipboard()->text(), m_screen->tellsPastes()));
}

void TerminalView::contextMenuEvent(QContextMenuEvent* event)
{
    QMenu menu(this);
    QAction* copying = menu.addAction(tr("&Copy"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C), this,
                                      &TerminalView::copy);
    copying->setEnabled(m_selectFrom != m_selectTo);
    QAction* pasting = menu.addAction(tr("&Paste"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_V), this,
                                      &TerminalView::paste);
    pasting->setEnabled(m_line != nullptr);
    menu.addSeparator();
    menu.addAction(tr("Clear &history"), this, [this] {
        m_screen->clearHistory();
        followEnd(true, m_screen->droppedRows());
        viewport()->update();
    });
    menu.exec(event->globalPos());
}

} // namespace sg::ui
