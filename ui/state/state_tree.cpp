#include "ui/state/state_tree.h"

#include "ui/state/state_model.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/palette.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QFontMetricsF>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>
#include <utility>

namespace sg::ui {

namespace {

constexpr int kDeepest = 4;
constexpr int kMostExpanded = 40;
constexpr int kMostChildren = 60; // longer lists are opened by hand only
constexpr int kMostByHand = 500;

struct ChangeLook {
    Token ink;
    Token tint;
};

ChangeLook lookOf(Change change)
{
    switch (change) {
    case Change::Added: return { &Tokens::done, &Tokens::doneTint };
    case Change::Changed: return { &Tokens::running, &Tokens::runningTint };
    case Change::Removed: return { &Tokens::failed, &Tokens::failedTint };
    case Change::Same: break;
    }
    return { &Tokens::muted, &Tokens::base };
}

Change changeOf(const QModelIndex& index)
{
    return static_cast<Change>(index.data(StateModel::ChangeRole).toInt());
}

// A changed container is not tinted itself, only its changed entries are.
bool isTinted(const QModelIndex& row)
{
    const Change change = changeOf(row);
    return change != Change::Same
        && (change != Change::Changed || !row.model()->hasChildren(row)
            || !row.data(StateModel::OldTextRole).toString().isEmpty());
}

double paintCount(QPainter& painter, const QRectF& rect, const QString& sign, int count, Token ink)
{
    const QFont bold = uiFont(TextSize::Small, QFont::Bold);
    const QFont plain = uiFont(TextSize::Small);
    const QString number = QStringLiteral(" %1").arg(count);
    painter.setPen(color(ink));
    painter.setFont(bold);
    painter.drawText(rect, Qt::AlignLeft | Qt::AlignVCenter, sign);
    const double width = QFontMetricsF(bold).horizontalAdvance(sign);
    painter.setFont(plain);
    painter.drawText(rect.adjusted(width, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, number);
    return width + QFontMetricsF(plain).horizontalAdvance(number);
}

} // namespace

StateHeader::StateHeader(QWidget* parent)
    : QHeaderView(Qt::Horizontal, parent)
{
    setSectionsClickable(false);
    setHighlightSections(false);
    setMinimumSectionSize(scaledLength(20));
}

void StateHeader::setCounts(const ChangeCounts& counts)
{
    m_counts = counts;
    viewport()->update();
}

QSize StateHeader::sizeHint() const
{
    return { QHeaderView::sizeHint().width(), scaledLength(24) };
}

void StateHeader::paintSection(QPainter* painter, const QRect& rect, int section) const
{
    painter->save(); // the style leaves a clip that hides later painting
    QHeaderView::paintSection(painter, rect, section);
    painter->restore();
    if (section != StateModel::ValueColumn)
        return;
    const QString title = model()->headerData(section, Qt::Horizontal, Qt::DisplayRole).toString();
    QRectF room = QRectF(rect).adjusted(
        8 + QFontMetricsF(uiFont(TextSize::Small)).horizontalAdvance(title) + 20, 0, 0, 0);
    painter->save();
    const double gap = scaledLength(10);
    if (m_counts.added > 0)
        room.setLeft(room.left() + gap
                     + paintCount(*painter, room, QStringLiteral("+"), m_counts.added, &Tokens::done));
    if (m_counts.changed > 0)
        room.setLeft(room.left() + gap
                     + paintCount(*painter, room, QStringLiteral("~"), m_counts.changed, &Tokens::running));
    if (m_counts.removed > 0)
        paintCount(*painter, room, QString(QChar(0x2212)), m_counts.removed, &Tokens::failed);
    painter->restore();
}

void StateDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const
{
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    const Change change = changeOf(index);
    const QString words = index.data().toString();
    const QRectF rect = option.rect;
    painter->save();
    painter->setPen(color(&Tokens::text));
    if (index.column() == StateModel::SignColumn) {
        painter->setFont(uiFont(TextSize::Dense, QFont::Bold));
        painter->setPen(color(lookOf(change).ink));
        painter->drawText(rect, Qt::AlignCenter, words);
    } else if (index.column() == StateModel::ChannelColumn) {
        const bool strong = change != Change::Same && index.model()->hasChildren(index.siblingAtColumn(0));
        const QFont font = uiFont(TextSize::Dense, strong ? QFont::DemiBold : QFont::Normal);
        painter->setFont(font);
        painter->drawText(rect, Qt::AlignLeft | Qt::AlignVCenter,
                          QFontMetricsF(font).elidedText(words, Qt::ElideRight, rect.width() - 4));
    } else {
        QFont font = monoFont();
        QFont struck = font;
        struck.setStrikeOut(true);
        QRectF room = rect.adjusted(8, 0, -8, 0);
        const Token quiet = selected ? &Tokens::text : &Tokens::muted;
        if (const QString old = index.data(StateModel::OldTextRole).toString(); !old.isEmpty()) {
            // The old value gets at most half of the space that the new one does not need.
            const double wanted = QFontMetricsF(font).horizontalAdvance(words);
            const double arrow = scaledLength(20);
            const double forOld = std::max(room.width() / 2 - arrow, room.width() - wanted - arrow);
            const QString shown = QFontMetricsF(struck).elidedText(old, Qt::ElideRight, forOld);
            painter->setFont(struck);
            painter->setPen(color(&Tokens::text2));
            painter->drawText(room, Qt::AlignLeft | Qt::AlignVCenter, shown);
            room.setLeft(room.left() + QFontMetricsF(struck).horizontalAdvance(shown));
            painter->setFont(font);
            painter->setPen(color(quiet));
            painter->drawText(QRectF(room.left(), room.top(), arrow, room.height()), Qt::AlignCenter,
                              QStringLiteral("→"));
            room.setLeft(room.left() + arrow);
        }
        if (change == Change::Removed)
            font.setStrikeOut(true);
        painter->setFont(font);
        const bool summary =
            index.data(StateModel::ContainerRole).toBool() && !words.startsWith(QLatin1Char('"'));
        painter->setPen(color(summary ? quiet : &Tokens::text));
        painter->drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                          QFontMetricsF(font).elidedText(words, Qt::ElideRight, room.width()));
    }
    painter->restore();
}

QSize StateDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const
{
    return { option.rect.width(), scaledLength(24) };
}

StateTree::StateTree(QWidget* parent)
    : QTreeView(parent)
    , m_header(new StateHeader(this))
{
    setObjectName(QStringLiteral("stateTree"));
    setAccessibleName(tr("State"));
    setHeader(m_header);
    setFrameShape(QFrame::NoFrame);
    setUniformRowHeights(true);
    setTabKeyNavigation(false); // Tab must lead to the next panel
    setIndentation(scaledLength(16));
    setTreePosition(StateModel::ChannelColumn);
    setItemDelegate(new StateDelegate(this));
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setDragEnabled(true);
    setDragDropMode(QAbstractItemView::DragOnly);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setTextElideMode(Qt::ElideRight);
    connect(this, &QTreeView::expanded, this, [this](const QModelIndex& index) { noteByHand(index, true); });
    connect(this, &QTreeView::collapsed, this,
            [this](const QModelIndex& index) { noteByHand(index, false); });
}

void StateTree::setStates(StateModel* model)
{
    m_states = model;
    setModel(model);
    m_header->setStretchLastSection(true);
    m_header->setSectionResizeMode(StateModel::SignColumn, QHeaderView::Fixed);
    m_header->resizeSection(StateModel::SignColumn, scaledLength(20));
    m_header->resizeSection(StateModel::ChannelColumn, scaledLength(128));
}

void StateTree::show(const Value& was, const Value& now, bool withMarks)
{
    const QString at = pointer();
    const int scrolled = verticalScrollBar()->value();
    m_isFilling = true;
    m_states->reset(was, now, withMarks);
    if (withMarks)
        expandChanges();
    QStringList opened = m_byHand.keys();
    std::sort(opened.begin(), opened.end()); // a value comes before its entries
    for (const QString& value : std::as_const(opened))
        if (const QModelIndex index = m_states->find(value); index.isValid())
            setExpanded(index, m_byHand.value(value));
    if (const QModelIndex index = at.isEmpty() ? QModelIndex() : m_states->find(at); index.isValid())
        setCurrentIndex(index);
    executeDelayedItemsLayout();
    verticalScrollBar()->setValue(scrolled);
    m_isFilling = false;
}

void StateTree::forgetPlace()
{
    m_byHand.clear();
    setCurrentIndex({});
    verticalScrollBar()->setValue(0);
}

void StateTree::noteByHand(const QModelIndex& index, bool isOpen)
{
    const QString value = index.siblingAtColumn(0).data(StateModel::PointerRole).toString();
    if (m_isFilling || value.isEmpty() || (m_byHand.size() >= kMostByHand && !m_byHand.contains(value)))
        return;
    m_byHand.insert(value, isOpen);
}

void StateTree::expandChanges()
{
    int budget = kMostExpanded;
    expandBelow({}, 0, budget);
}

void StateTree::expandBelow(const QModelIndex& parent, int depth, int& budget)
{
    const int rows = model()->rowCount(parent);
    for (int row = 0; row < rows && budget > 0 && depth < kDeepest; ++row) {
        const QModelIndex index = model()->index(row, 0, parent);
        if (changeOf(index) != Change::Changed || !model()->hasChildren(index)
            || model()->rowCount(index) > kMostChildren)
            continue;
        --budget;
        expand(index);
        expandBelow(index, depth + 1, budget);
    }
}

void StateTree::drawRow(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const QModelIndex row = index.siblingAtColumn(0);
    const bool selected = selectionModel()->isSelected(index);
    painter->fillRect(option.rect,
                      color(selected            ? &Tokens::selection
                                : isTinted(row) ? lookOf(changeOf(row)).tint
                                                : &Tokens::base));
    QTreeView::drawRow(painter, option, index);
}

void StateTree::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy))
        copy(StateModel::WholeTextRole);
    else if (event->key() == Qt::Key_C && event->modifiers() == (Qt::ControlModifier | Qt::ShiftModifier))
        copy(StateModel::PathRole);
    else if (event->key() == Qt::Key_O && event->modifiers() == Qt::NoModifier && !pointer().isEmpty())
        Q_EMIT originRequested(pointer());
    else if (event->key() == Qt::Key_H && event->modifiers() == Qt::NoModifier && !pointer().isEmpty())
        Q_EMIT historyRequested(pointer());
    else if (event->key() == Qt::Key_B && event->modifiers() == Qt::NoModifier && !pointer().isEmpty())
        Q_EMIT rawRequested(pointer());
    else
        QTreeView::keyPressEvent(event);
}

void StateTree::contextMenuEvent(QContextMenuEvent* event)
{
    if (!currentIndex().isValid())
        return;
    QMenu menu(this);
    menu.addAction(icon(QLatin1String("copy")), tr("Copy value"), QKeySequence::Copy, this,
                   [this] { copy(StateModel::WholeTextRole); });
    menu.addAction(tr("Copy path"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C), this,
                   [this] { copy(StateModel::PathRole); });
    if (const QString at = pointer(); !at.isEmpty()) {
        menu.addSeparator();
        menu.addAction(tr("Where did this come from?"), QKeySequence(Qt::Key_O), this,
                       [this, at] { Q_EMIT originRequested(at); });
        menu.addAction(tr("History of this value"), QKeySequence(Qt::Key_H), this,
                       [this, at] { Q_EMIT historyRequested(at); });
        menu.addAction(tr("Raw bytes…"), QKeySequence(Qt::Key_B), this,
                       [this, at] { Q_EMIT rawRequested(at); });
    }
    menu.exec(event->globalPos());
}

QString StateTree::pointer() const
{
    return currentIndex().isValid()
        ? currentIndex().siblingAtColumn(0).data(StateModel::PointerRole).toString()
        : QString();
}

void StateTree::copy(int role)
{
    QStringList texts;
    for (const QModelIndex& row : selectionModel()->selectedRows())
        texts << row.data(role).toString();
    if (!texts.isEmpty())
        QGuiApplication::clipboard()->setText(texts.join(QLatin1Char('\n')));
}

} // namespace sg::ui
