#include "ui/chat/chat_painter.h"
#include "ui/chat/chat_view.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"

#include <QAbstractTextDocumentLayout>
#include <QAccessible>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QScrollBar>
#include <QTextCursor>
#include <QTextDocumentFragment>
#include <QToolTip>

#include <algorithm>

namespace sg::ui {
namespace {

QString firstLine(const QString& text)
{
    return text.trimmed().section(QLatin1Char('\n'), 0, 0).left(200);
}

} // namespace

const std::vector<ChatItem>& ChatView::items() const
{
    if (m_items.empty())
        for (std::size_t i = 0; i < m_entries.size(); ++i)
            for (int call = -1; call < static_cast<int>(m_entries.at(i).row.calls.size()); ++call)
                m_items.push_back({ i, call });
    return m_items;
}

QString ChatView::partKey(const ChatItem& item, const QString& part) const
{
    return m_entries.at(item.entry).row.key + QLatin1Char('/')
        + (part.isEmpty() ? QString::number(item.call) : part);
}

QString ChatView::nameOf(const ChatItem& item) const
{
    const ChatEntry& entry = m_entries.at(item.entry);
    if (item.call < 0)
        return QStringLiteral("%1: %2").arg(
            speakerOf(entry.row),
            entry.row.text.isEmpty() && !entry.row.calls.empty()
                ? entry.row.calls.size() == 1 ? tr("1 call") : tr("%1 calls").arg(entry.row.calls.size())
                : firstLine(entry.row.text));
    const auto& call = entry.row.calls[static_cast<std::size_t>(item.call)];
    const auto& answer = entry.answers[static_cast<std::size_t>(item.call)];
    const QString state = call.isBroken || (answer && answer->hasFailed) ? tr("failed")
        : answer                                                         ? tr("done")
                                                                         : tr("no answer yet");
    return tr("call of %1, %2").arg(call.name, state);
}

bool ChatView::isOpen(const ChatItem& item) const
{
    return item.call >= 0 && m_open.contains(partKey(item));
}

QRect ChatView::rectOf(const ChatItem& item)
{
    for (const Place& place : m_seen) {
        if (place.entry != item.entry)
            continue;
        const ChatLayout& layout = layoutOf(item.entry);
        if (item.call < 0)
            return QRectF(0, place.top, layout.width, layout.height).toRect();
        for (const ChatBox& part : layout.parts)
            if (part.kind == ChatBox::Kind::Frame && part.call == item.call)
                return part.rect.translated(0, place.top).toRect();
    }
    return {};
}

void ChatView::setOpen(const QString& key, bool open)
{
    if (open == m_open.contains(key))
        return;
    if (open)
        m_open.insert(key);
    else
        m_open.remove(key);
    const QString entry = key.section(QLatin1Char('/'), 0, -2);
    for (std::size_t i = 0; i < m_entries.size(); ++i)
        if (const QString& each = m_entries.at(i).row.key;
            entry == each || key.startsWith(each + QLatin1Char('/')))
            if (const auto known = m_layouts.constFind(each); known != m_layouts.constEnd())
                (*known)->height = -1;
    if (open && m_isFollowing && !key.endsWith(QLatin1String("/thought"))) {
        m_isFollowing = false; // what was opened stays where it is
        Q_EMIT followingChanged(false);
    }
    arrange();
}

void ChatView::toggle(const ChatItem& item)
{
    if (item.entry >= m_entries.size())
        return;
    const QString key = item.call < 0 ? partKey(item, QStringLiteral("thought")) : partKey(item);
    setOpen(key, !m_open.contains(key));
}

// Brings the item into sight.
void ChatView::moveTo(const ChatItem& item)
{
    m_current = item;
    QRect rect = rectOf(item);
    if (rect.isEmpty() || rect.top() < 0 || rect.bottom() > viewport()->height()) {
        const bool was = std::exchange(m_isFollowing, item.entry + 1 == m_entries.size() && item.call < 0);
        const bool isAbove = !rect.isEmpty() && rect.top() < 0;
        m_anchor = { item.entry, 0 };
        arrange();
        if (rect = rectOf(item); item.call >= 0 && rect.bottom() > viewport()->height()) {
            m_anchor = { item.entry, double(-std::max(0, rect.top() - scaledLength(40))) };
            arrange();
        } else if (!isAbove && !m_isFollowing && rect.height() < viewport()->height() / 2) {
            m_anchor = { item.entry, double(viewport()->height() / 3) };
            arrange();
        }
        if (was != m_isFollowing)
            Q_EMIT followingChanged(m_isFollowing);
    }
    viewport()->update();
    announce();
}

void ChatView::announce()
{
    const auto& all = items();
    const auto at = std::ranges::find(all, m_current);
    if (at == all.end() || !QAccessible::isActive())
        return;
    QAccessibleEvent event(this, QAccessible::Focus);
    event.setChild(static_cast<int>(at - all.begin()));
    QAccessible::updateAccessibility(&event);
}

const ChatView::Place* ChatView::placeAt(const QPointF& at) const
{
    const Place* found = nullptr;
    for (const Place& place : m_seen)
        if (place.top <= at.y())
            found = &place;
    return found;
}

void ChatView::mousePressEvent(QMouseEvent* event)
{
    const Place* place = placeAt(event->position());
    if (event->button() != Qt::LeftButton || place == nullptr)
        return QAbstractScrollArea::mousePressEvent(event);
    const QPointF at = event->position() - QPointF(0, place->top);
    const ChatLayout& layout = layoutOf(place->entry);
    const ChatBox* part = layout.at(at);
    const ChatItem item{ place->entry, part != nullptr ? part->call : -1 };
    m_current = item;
    m_selected = {};
    viewport()->update();
    if (part == nullptr)
        return announce();
    switch (part->kind) {
    case ChatBox::Kind::Call: toggle(item); break;
    case ChatBox::Kind::Thought: setOpen(partKey(item, QStringLiteral("thought")), !part->isOpen); break;
    case ChatBox::Kind::More: {
        const QString key = partKey(item) + QStringLiteral("/all");
        setOpen(key, !m_open.contains(key));
        break;
    }
    case ChatBox::Kind::Text: {
        m_selected.entry = m_entries.at(place->entry).row.key;
        m_selected.part = static_cast<int>(part - layout.parts.data());
        m_selected.from = part->document->documentLayout()->hitTest(at - part->rect.topLeft(), Qt::FuzzyHit);
        m_selected.to = m_selected.from;
        m_isSelecting = m_selected.from >= 0;
        break;
    }
    default: break;
    }
    announce();
}

void ChatView::mouseMoveEvent(QMouseEvent* event)
{
    const Place* place = placeAt(event->position());
    const ChatBox* part =
        place != nullptr ? layoutOf(place->entry).at(event->position() - QPointF(0, place->top)) : nullptr;
    const bool isPressed = part != nullptr
        && (part->kind == ChatBox::Kind::Call || part->kind == ChatBox::Kind::Thought
            || part->kind == ChatBox::Kind::More);
    viewport()->setCursor(isPressed                               ? Qt::PointingHandCursor
                              : part != nullptr && part->document ? Qt::IBeamCursor
                                                                  : Qt::ArrowCursor);
    if (!m_isSelecting || place == nullptr || m_entries.at(place->entry).row.key != m_selected.entry)
        return;
    const ChatLayout& layout = layoutOf(place->entry);
    if (m_selected.part >= static_cast<int>(layout.parts.size()))
        return;
    const ChatBox& chosen = layout.parts[static_cast<std::size_t>(m_selected.part)];
    if (!chosen.document)
        return;
    m_selected.to = chosen.document->documentLayout()->hitTest(
        event->position() - QPointF(0, place->top) - chosen.rect.topLeft(), Qt::FuzzyHit);
    viewport()->update();
}

void ChatView::mouseReleaseEvent(QMouseEvent* event)
{
    m_isSelecting = false;
    QAbstractScrollArea::mouseReleaseEvent(event);
}

QString ChatView::copied() const
{
    if (m_entries.size() == 0)
        return {};
    if (const auto layout = m_layouts.constFind(m_selected.entry); m_selected.from != m_selected.to
        && layout != m_layouts.constEnd() && m_selected.part < static_cast<int>((*layout)->parts.size()))
        if (const auto& document = (*layout)->parts[static_cast<std::size_t>(m_selected.part)].document) {
            QTextCursor cursor(document.get());
            cursor.setPosition(m_selected.from);
            cursor.setPosition(m_selected.to, QTextCursor::KeepAnchor);
            return cursor.selection().toPlainText();
        }
    const ChatEntry& entry = m_entries.at(m_current.entry);
    if (m_current.call < 0)
        return entry.row.text;
    const auto call = static_cast<std::size_t>(m_current.call);
    QStringList parts{ entry.row.calls[call].code, entry.row.calls[call].whole };
    if (entry.answers[call])
        parts << entry.answers[call]->text;
    parts.removeAll(QString());
    return parts.join(QLatin1String("\n\n"));
}

void ChatView::keyPressEvent(QKeyEvent* event)
{
    const auto& all = items();
    const auto at = std::ranges::find(all, m_current);
    const auto go = [&](std::ptrdiff_t index) {
        if (!all.empty())
            moveTo(all[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(index, 0, std::ssize(all) - 1))]);
    };
    const std::ptrdiff_t now = at == all.end() ? 0 : at - all.begin();
    if (event->matches(QKeySequence::Copy))
        return QGuiApplication::clipboard()->setText(copied());
    switch (event->key()) {
    case Qt::Key_Up: return go(now - 1);
    case Qt::Key_Down: return go(now + 1);
    case Qt::Key_Home: return go(0);
    case Qt::Key_End: go(std::ssize(all) - 1); return setFollowing(true);
    case Qt::Key_Left:
    case Qt::Key_Right:
        if (m_current.call >= 0 && isOpen(m_current) != (event->key() == Qt::Key_Right))
            toggle(m_current);
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (event->modifiers() & Qt::ControlModifier) {
            if (m_current.entry < m_entries.size())
                Q_EMIT stepRequested(m_entries.at(m_current.entry).row);
            return;
        }
        return toggle(m_current);
    default: QAbstractScrollArea::keyPressEvent(event);
    }
}

void ChatView::contextMenuEvent(QContextMenuEvent* event)
{
    if (event->reason() == QContextMenuEvent::Mouse)
        if (const Place* place = placeAt(event->pos())) {
            const ChatBox* part = layoutOf(place->entry).at(event->pos() - QPointF(0, place->top));
            const ChatItem item{ place->entry, part != nullptr ? part->call : -1 };
            if (item.entry != m_current.entry || item.call != m_current.call)
                m_selected = {};
            m_current = item;
        }
    if (m_current.entry >= m_entries.size())
        return;
    viewport()->update();
    const ChatRow row = m_entries.at(m_current.entry).row;
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(icon(QLatin1String("copy")), tr("&Copy"),
                    [this] { QGuiApplication::clipboard()->setText(copied()); });
    menu->addAction(tr("Copy as &JSON"), [row] { QGuiApplication::clipboard()->setText(row.json); });
    menu->addSeparator();
    QAction* step = menu->addAction(icon(QLatin1String("hourglass")), tr("&Go to the step that made it"),
                                    [this, row] { Q_EMIT stepRequested(row); });
    step->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Return));
    step->setEnabled(!row.checkpoint.isEmpty());
    menu->popup(event->globalPos());
}

bool ChatView::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const Place* place = placeAt(help->pos());
        const ChatBox* part =
            place != nullptr ? layoutOf(place->entry).at(help->pos() - QPointF(0, place->top)) : nullptr;
        if (part != nullptr && part->document) // where a link leads is told, never gone
            if (const QString link = part->document->documentLayout()->anchorAt(
                    help->pos() - QPointF(0, place->top) - part->rect.topLeft());
                !link.isEmpty()) {
                QToolTip::showText(help->globalPos(), link.toHtmlEscaped(), viewport());
                return true;
            }
        QToolTip::showText(help->globalPos(),
                           part != nullptr && part->kind == ChatBox::Kind::Call ? part->brief : QString(),
                           viewport());
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void ChatView::focusInEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update();
}

void ChatView::focusOutEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

} // namespace sg::ui
