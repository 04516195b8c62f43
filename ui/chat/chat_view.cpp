#include "ui/chat/chat_view.h"

#include "ui/chat/chat_accessible.h"
#include "ui/chat/chat_painter.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/style.h"

#include <QEvent>
#include <QPainter>
#include <QPushButton>
#include <QRegion>
#include <QScrollBar>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace sg::ui {
namespace {

constexpr qsizetype kMostLayouts = 80; // that are kept

// The top of what stands otherwise, or is new.
double firstDifference(const ChatLayout& before, const ChatLayout& now)
{
    std::size_t same = 0;
    while (same < before.parts.size() && same < now.parts.size()
           && before.parts[same].kind == now.parts[same].kind
           && before.parts[same].rect == now.parts[same].rect
           && before.parts[same].text == now.parts[same].text
           && before.parts[same].document == now.parts[same].document)
        ++same;
    double top = std::min(before.height, now.height);
    for (std::size_t i = same; i < now.parts.size(); ++i)
        top = std::min(top, now.parts[i].rect.top());
    for (std::size_t i = same; i < before.parts.size(); ++i)
        top = std::min(top, before.parts[i].rect.top());
    return std::max(0.0, top - 2);
}

} // namespace

ChatView::ChatView(QWidget* parent)
    : QAbstractScrollArea(parent)
    , m_jump(new QPushButton(icon(QLatin1String("follow")), tr("Jump to end"), viewport()))
{
    ChatAccessible::install();
    setObjectName(QStringLiteral("chatView"));
    setAccessibleName(tr("Messages"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    viewport()->setBackgroundRole(QPalette::Base);
    verticalScrollBar()->setSingleStep(scaledLength(40));
    m_jump->setObjectName(QStringLiteral("chatJump"));
    m_jump->setFocusPolicy(Qt::NoFocus);
    makeDense(m_jump);
    m_jump->hide();
    connect(m_jump, &QPushButton::clicked, this, [this] { setFollowing(true); });
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, &ChatView::scrolled);
}

ChatView::~ChatView() = default;

void ChatView::clear()
{
    m_entries = {};
    m_open.clear();
    m_current = {};
    m_selected = {};
    m_anchor = {};
    m_isFollowing = true;
    changedFrom(0);
    forget();
}

ChatLook ChatView::lookOf(std::size_t index) const
{
    ChatLook look;
    look.width = viewport()->width();
    look.isAsSent = m_isAsSent;
    look.unanswered = index + 1 == m_entries.size() ? m_unanswered : StateKind::Skipped;
    look.currency = m_currency;
    const ChatRow& row = m_entries.at(index).row;
    look.step = m_stepOf && !row.checkpoint.isEmpty() ? m_stepOf(row.checkpoint) : -1;
    look.isOpen = [this, key = row.key](const QString& part) {
        return m_open.contains(key + QLatin1Char('/') + part);
    };
    return look;
}

const ChatLayout& ChatView::layoutOf(std::size_t index)
{
    const QString& key = m_entries.at(index).row.key;
    auto& layout = m_layouts[key];
    if (!layout || layout->height < 0 || layout->width != viewport()->width())
        layout = std::make_shared<ChatLayout>(layOut(m_entries.at(index), lookOf(index), layout.get()));
    m_heights[index] = layout->height;
    return *layout;
}

// Entries from there on are others than before. Their documents are kept, where their texts are the same.
void ChatView::changedFrom(std::size_t index)
{
    m_items.clear();
    m_heights.resize(m_entries.size());
    for (std::size_t i = index; i < m_entries.size(); ++i) {
        const auto known = m_layouts.constFind(m_entries.at(i).row.key);
        if (known != m_layouts.constEnd())
            (*known)->height = -1; // to be laid out again
        else
            m_heights[i] = guessedHeight(m_entries.at(i), lookOf(i));
    }
    if (m_current.entry >= m_entries.size())
        m_current = {};
    arrange();
}

void ChatView::forget()
{
    m_layouts.clear();
    for (std::size_t i = 0; i < m_entries.size(); ++i)
        m_heights[i] = guessedHeight(m_entries.at(i), lookOf(i));
    arrange();
}

void ChatView::setRows(const ChatRows& rows)
{
    m_currency = rows.currency;
    changedFrom(m_entries.reset(rows.rows));
}

void ChatView::add(const std::vector<ChatPiece>& pieces)
{
    std::size_t first = m_entries.size();
    const std::size_t before = first;
    for (const ChatPiece& piece : pieces)
        first = std::min(first, m_entries.add(piece));
    if (first >= m_entries.size())
        return; // another speaker is shown
    if (m_entries.size() != before)
        return changedFrom(std::min(first, before));
    grow(first);
}

// Words have come at the end of entries from there on. What stands as before is moved on the screen, and not
// painted again; what is new is painted now.
void ChatView::grow(std::size_t first)
{
    const std::vector<Place> places = m_seen;
    std::vector<std::shared_ptr<ChatLayout>> before;
    for (std::size_t i = first; i < m_entries.size(); ++i) {
        const auto known = m_layouts.constFind(m_entries.at(i).row.key);
        before.push_back(known == m_layouts.constEnd() ? nullptr : std::make_shared<ChatLayout>(**known));
        if (known != m_layouts.constEnd())
            (*known)->height = -1;
    }
    place();
    std::optional<double> moved;
    for (const Place& was : places)
        for (const Place& is : m_seen)
            if (is.entry == was.entry && (!moved || is.top - was.top != *moved)) {
                if (moved)
                    return viewport()->update();
                moved = is.top - was.top;
            }
    const int by = moved ? static_cast<int>(*moved) : viewport()->height();
    if (std::abs(by) >= viewport()->height())
        return viewport()->update();
    if (by != 0)
        viewport()->scroll(0, by);
    QRegion dirty;
    for (const Place& is : m_seen) {
        if (is.entry < first)
            continue;
        const ChatLayout& layout = layoutOf(is.entry);
        const double from = before[is.entry - first] ? firstDifference(*before[is.entry - first], layout) : 0;
        dirty += QRectF(0, is.top + from, layout.width, layout.height - from).toAlignedRect();
    }
    viewport()->repaint(dirty);
}

void ChatView::setSpeaker(const QString& speaker)
{
    m_entries.setSpeaker(speaker);
    m_current = {};
    changedFrom(0);
}

void ChatView::setAsSent(bool asSent)
{
    m_isAsSent = asSent;
    forget();
}

void ChatView::setSteps(std::function<int(const QString&)> stepOf)
{
    m_stepOf = std::move(stepOf);
    changedFrom(0);
}

void ChatView::setUnanswered(StateKind state)
{
    if (state == std::exchange(m_unanswered, state) || m_entries.size() == 0)
        return;
    changedFrom(m_entries.size() - 1);
}

void ChatView::setFollowing(bool following)
{
    if (following == m_isFollowing)
        return;
    m_isFollowing = following;
    arrange();
    Q_EMIT followingChanged(following);
}

void ChatView::arrange()
{
    place();
    viewport()->update();
}

// Lays out what is seen: from the end back where it is followed, else from the anchor on.
void ChatView::place()
{
    const double height = viewport()->height();
    const std::size_t count = m_entries.size();
    m_seen.clear();
    if (count == 0 || height <= 0 || viewport()->width() <= 0) {
        showScrollBar();
        return;
    }
    const auto toEnd = [&] {
        double top = height;
        std::size_t first = count;
        while (first > 0 && top > 0)
            top -= layoutOf(--first).height;
        m_anchor = { first, std::min(top, 0.0) };
    };
    if (m_isFollowing)
        toEnd();
    m_anchor.entry = std::min(m_anchor.entry, count - 1);
    while (m_anchor.top > 0 && m_anchor.entry > 0) // room above it
        m_anchor.top -= layoutOf(--m_anchor.entry).height;
    m_anchor.top = std::min(m_anchor.top, 0.0);
    const auto down = [&] {
        m_seen.clear();
        double top = m_anchor.top;
        std::size_t at = m_anchor.entry;
        for (; at < count && top < height; ++at) {
            m_seen.push_back({ at, top });
            top += layoutOf(at).height;
        }
        return at == count ? top : height;
    };
    if (const double end = down(); end < height && m_anchor.entry + m_seen.size() >= count) {
        toEnd(); // no room is left below the last one
        down();
    }
    while (m_seen.size() > 1 && m_seen[1].top <= 0) { // what has gone out at the top
        m_anchor = m_seen[1];
        m_seen.erase(m_seen.begin());
    }
    if (m_layouts.size() > kMostLayouts) {
        QSet<QString> near;
        for (const Place& place : m_seen)
            near.insert(m_entries.at(place.entry).row.key);
        m_layouts.removeIf([&near](const auto& each) { return !near.contains(each.key()); });
    }
    showScrollBar();
}

void ChatView::showScrollBar()
{
    double total = 0;
    double above = 0;
    for (std::size_t i = 0; i < m_heights.size(); ++i) {
        if (i == m_anchor.entry)
            above = total - m_anchor.top;
        total += m_heights[i];
    }
    const int page = viewport()->height();
    m_isSettling = true;
    verticalScrollBar()->setPageStep(page);
    verticalScrollBar()->setRange(0, std::max(0, static_cast<int>(std::ceil(total)) - page));
    verticalScrollBar()->setValue(m_isFollowing ? verticalScrollBar()->maximum()
                                                : static_cast<int>(std::lround(above)));
    m_isSettling = false;
    placeJump();
}

void ChatView::scrolled(int value)
{
    if (m_isSettling)
        return;
    const bool atEnd = value >= verticalScrollBar()->maximum();
    if (!atEnd) {
        double top = 0;
        std::size_t entry = 0;
        while (entry + 1 < m_heights.size() && top + m_heights[entry] <= value)
            top += m_heights[entry++];
        m_anchor = { entry, top - value };
    }
    const bool was = std::exchange(m_isFollowing, atEnd);
    arrange();
    if (was != atEnd)
        Q_EMIT followingChanged(atEnd);
}

void ChatView::placeJump()
{
    m_jump->setVisible(!m_isFollowing && verticalScrollBar()->maximum() > 0);
    m_jump->adjustSize();
    m_jump->move(viewport()->width() - m_jump->width() - scaledLength(16),
                 viewport()->height() - m_jump->height() - scaledLength(12));
}

ChatMarks ChatView::marksOf(std::size_t index) const
{
    ChatMarks marks;
    marks.isCurrent = index == m_current.entry && (hasFocus() || m_current != ChatItem());
    marks.call = marks.isCurrent ? m_current.call : -1;
    marks.hasFocus = hasFocus();
    marks.found = m_found;
    if (m_selected.entry == m_entries.at(index).row.key) {
        marks.selected = m_selected.part;
        marks.from = m_selected.from;
        marks.to = m_selected.to;
    }
    return marks;
}

void ChatView::paintEvent(QPaintEvent* event)
{
    QPainter painter(viewport());
    for (const Place& place : m_seen) {
        const ChatLayout& layout = layoutOf(place.entry);
        if (!QRectF(0, place.top, layout.width, layout.height).intersects(event->rect()))
            continue;
        painter.save();
        painter.translate(0, place.top);
        paintEntry(painter, layout, marksOf(place.entry), QRectF(event->rect()).translated(0, -place.top));
        painter.restore();
    }
    Q_EMIT painted();
}

void ChatView::resizeEvent(QResizeEvent* event)
{
    QAbstractScrollArea::resizeEvent(event);
    if (event->size().width() != event->oldSize().width())
        for (std::size_t i = 0; i < m_entries.size(); ++i)
            if (!m_layouts.contains(m_entries.at(i).row.key))
                m_heights[i] = guessedHeight(m_entries.at(i), lookOf(i));
    arrange();
}

void ChatView::scrollContentsBy(int, int) { }

void ChatView::changeEvent(QEvent* event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        forget(); // documents have colours and fonts
}

std::vector<ChatItem> ChatView::find(const QString& words)
{
    m_found = words;
    viewport()->update();
    std::vector<ChatItem> found;
    if (!words.isEmpty())
        for (const ChatItem& item : items())
            if (m_entries.holds(item.entry, item.call, words))
                found.push_back(item);
    return found;
}

void ChatView::goTo(const ChatItem& item)
{
    if (item.entry >= m_entries.size())
        return;
    const ChatEntry& entry = m_entries.at(item.entry);
    if (item.call >= 0)
        setOpen(partKey(item), true);
    else if (!m_found.isEmpty() && !entry.row.text.contains(m_found, Qt::CaseInsensitive)
             && entry.row.reasoning.contains(m_found, Qt::CaseInsensitive))
        setOpen(partKey(item, QStringLiteral("thought")), true);
    moveTo(item);
}

} // namespace sg::ui
