#include "ui/graph/panels/node_palette.h"

#include "ui/graph/kind_look.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"

#include <QDrag>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QMimeData>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>

namespace sg::ui {
namespace {

enum Role { Id = Qt::UserRole, Note };

constexpr int kPaletteRow = 26;
constexpr int kHead = 24;
constexpr int kPopupWidth = 340;
constexpr int kNotesFrom = 320; // width of a row
constexpr int kMostRows = 11;

bool isHeading(const QModelIndex& index)
{
    return index.data(Id).toString().isEmpty();
}

// Paints an icon, a title and, where there is room, a note on the right; headings are muted and bold.
class EntryDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override
    {
        return { 100, scaledLength(isHeading(index) ? kHead : kPaletteRow) };
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        painter->save();
        const QRect row = option.rect;
        if (isHeading(index)) {
            painter->setFont(uiFont(TextSize::Small, QFont::DemiBold));
            painter->setPen(color(&Tokens::muted));
            painter->drawText(row.adjusted(12, 2, -8, 0), Qt::AlignVCenter, index.data().toString());
            painter->restore();
            return;
        }
        if (option.state.testFlag(QStyle::State_Selected))
            painter->fillRect(row, color(&Tokens::selection));
        else if (option.state.testFlag(QStyle::State_MouseOver))
            painter->fillRect(row, color(&Tokens::hover));
        index.data(Qt::DecorationRole)
            .value<QIcon>()
            .paint(painter, QRect(row.left() + 12, row.center().y() - 7, 16, 16));
        painter->setFont(uiFont(TextSize::Dense));
        painter->setPen(color(&Tokens::text));
        const QString title = index.data().toString();
        QRect words = row.adjusted(36, 0, -12, 0);
        painter->drawText(words, Qt::AlignVCenter, title);
        if (row.width() < scaledLength(kNotesFrom)) { // else some notes would be cut: they are tool tips
            painter->restore();
            return;
        }
        words.setLeft(words.left() + painter->fontMetrics().horizontalAdvance(title) + 16);
        painter->setFont(uiFont(TextSize::Small));
        const bool selected = option.state.testFlag(QStyle::State_Selected);
        painter->setPen(color(selected ? &Tokens::text : &Tokens::muted));
        painter->drawText(
            words, Qt::AlignVCenter | Qt::AlignRight,
            painter->fontMetrics().elidedText(index.data(Note).toString(), Qt::ElideRight, words.width()));
        painter->restore();
    }
};

} // namespace

class NodePalette::List final : public QListWidget {
public:
    using QListWidget::QListWidget;

protected:
    [[nodiscard]] QMimeData* mimeData(const QList<QListWidgetItem*>& items) const override
    {
        auto* dragged = new QMimeData;
        if (!items.isEmpty())
            dragged->setData(QString::fromLatin1(kNodeKindMime), items.first()->data(Id).toString().toUtf8());
        return dragged;
    }
};

std::vector<PaletteEntry> nodeKindEntries()
{
    std::vector<PaletteEntry> entries;
    for (const graph::NodeKind* kind : kindsOfPalette()) {
        const std::string id(kind->id);
        entries.push_back({ QString::fromStdString(id), translated(kind->title), translated(kind->does),
                            iconOfKind(id), translated(kind->group) });
    }
    const QString flow = translated(graph::findNodeKind("subgraph")->group);
    const auto last = std::find_if(entries.rbegin(), entries.rend(),
                                   [&flow](const PaletteEntry& entry) { return entry.group == flow; });
    entries.insert(
        last.base(),
        { { QLatin1String(kBranchEntry), NodePalette::tr("Branch"),
            NodePalette::tr("leads the selected node's result to one of several"), QLatin1String("branch"),
            flow },
          { QLatin1String(kWaitingEntry), NodePalette::tr("Waiting edge"),
            NodePalette::tr("runs a node when all selected ones have run"), QLatin1String("link"), flow } });
    return entries;
}

NodePalette::NodePalette(Use use, QWidget* parent)
    : QFrame(parent)
    , m_use(use)
    , m_search(new QLineEdit(this))
    , m_list(new List(this))
{
    setObjectName(use == Use::Popup ? QStringLiteral("nodeChoice") : QStringLiteral("nodePalette"));
    setAccessibleName(use == Use::Popup ? tr("Nodes to choose from") : tr("Palette"));
    m_search->addAction(icon(QLatin1String("search"), &Tokens::muted), QLineEdit::LeadingPosition);
    m_search->setPlaceholderText(tr("Search nodes"));
    m_search->setAccessibleName(tr("Search nodes"));
    m_search->setProperty("sgDense", true);
    m_search->installEventFilter(this);
    m_list->setAccessibleName(tr("Nodes"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setItemDelegate(new EntryDelegate(m_list));
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setMouseTracking(true);
    m_list->viewport()->setAttribute(Qt::WA_Hover);
    if (use == Use::Dock) {
        m_list->setDragEnabled(true);
        m_list->setDragDropMode(QAbstractItemView::DragOnly);
    }
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 4);
    column->setSpacing(4);
    auto* head = new QVBoxLayout;
    head->setContentsMargins(8, 8, 8, 0);
    head->addWidget(m_search);
    column->addLayout(head);
    column->addWidget(m_list, 1);
    connect(m_search, &QLineEdit::textChanged, this, &NodePalette::filter);
    connect(m_list, use == Use::Popup ? &QListWidget::itemClicked : &QListWidget::itemActivated, this,
            [this] { choose(); });
}

void NodePalette::setEntries(const std::vector<PaletteEntry>& entries)
{
    m_entries = entries;
    filter(m_search->text());
}

void NodePalette::filter(const QString& words)
{
    m_list->clear();
    QString group;
    const QStringList wanted = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (const PaletteEntry& entry : m_entries) {
        const QString all = entry.title + QLatin1Char(' ') + entry.note + QLatin1Char(' ') + entry.id;
        if (!std::ranges::all_of(
                wanted, [&](const QString& word) { return all.contains(word, Qt::CaseInsensitive); }))
            continue;
        if (!entry.group.isEmpty() && entry.group != group) {
            auto* heading = new QListWidgetItem(entry.group, m_list);
            heading->setFlags(Qt::NoItemFlags);
            group = entry.group;
        }
        auto* item = new QListWidgetItem(icon(entry.icon), entry.title, m_list);
        item->setData(Id, entry.id);
        item->setData(Note, entry.note);
        item->setToolTip(entry.note);
    }
    m_list->setCurrentRow(-1);
    if (m_use == Use::Popup || !wanted.isEmpty())
        step(1);
}

void NodePalette::step(int by)
{
    int row = m_list->currentRow() + by;
    while (row >= 0 && row < m_list->count() && !(m_list->item(row)->flags() & Qt::ItemIsEnabled))
        row += by;
    if (row >= 0 && row < m_list->count())
        m_list->setCurrentRow(row);
}

void NodePalette::choose()
{
    const QListWidgetItem* item = m_list->currentItem();
    if (!item || item->data(Id).toString().isEmpty())
        return;
    Q_EMIT chosen(item->data(Id).toString());
}

void NodePalette::begin(const QString& placeholder)
{
    m_search->clear();
    m_search->setPlaceholderText(placeholder);
    filter({});
    m_search->setFocus(Qt::PopupFocusReason);
}

int NodePalette::heightOfRows() const
{
    int height = scaledLength(52);
    for (int i = 0; i < std::min(m_list->count(), kMostRows); ++i)
        height += m_list->sizeHintForRow(i);
    return height;
}

bool NodePalette::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_search && event->type() == QEvent::KeyPress) {
        switch (static_cast<QKeyEvent*>(event)->key()) {
        case Qt::Key_Down: step(1); return true;
        case Qt::Key_Up: step(-1); return true;
        case Qt::Key_Return:
        case Qt::Key_Enter: choose(); return true;
        default: break;
        }
    }
    return QFrame::eventFilter(watched, event);
}

NodePopup::NodePopup(QWidget* owner)
    : Overlay(owner)
    , m_palette(new NodePalette(NodePalette::Use::Popup, this))
{
    setObjectName(QStringLiteral("nodePopup"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(1, 1, 1, 1);
    column->addWidget(m_palette);
    connect(m_palette, &NodePalette::chosen, this, [this](const QString& id) {
        lift();
        Q_EMIT chosen(id);
    });
}

void NodePopup::popUp(const QPoint& globalPos, const std::vector<PaletteEntry>& entries, const QString& title)
{
    setAccessibleName(title);
    m_palette->setEntries(entries);
    resize(scaledLength(kPopupWidth), m_palette->heightOfRows());
    layOver(globalPos);
    m_palette->begin(title);
}

} // namespace sg::ui
