#include "ui/state/state_model.h"

#include "ui/state/value_text.h"
#include "ui/widgets/byte_format.h"

#include <QMimeData>

#include <utility>
#include <vector>

namespace sg::ui {

namespace {

constexpr std::size_t kPage = 10'000; // children made at once
constexpr qsizetype kValueTipLength = 3000;
constexpr qsizetype kCopyLength = 64 << 20;

QString changeWord(Change change)
{
    switch (change) {
    case Change::Same: return StateModel::tr("unchanged");
    case Change::Added: return StateModel::tr("added");
    case Change::Changed: return StateModel::tr("changed");
    case Change::Removed: return StateModel::tr("removed");
    }
    return {};
}

// Escaped, because a value may look like HTML.
QString plainTip(const Value& value)
{
    return QStringLiteral("<div style=\"white-space: pre-wrap\">%1</div>")
        .arg(valueJson(value, kValueTipLength).toHtmlEscaped());
}

QString sign(Change change)
{
    switch (change) {
    case Change::Same: return {};
    case Change::Added: return QStringLiteral("+");
    case Change::Changed: return QStringLiteral("~");
    case Change::Removed: return QChar(0x2212);
    }
    return {};
}

} // namespace

struct StateModel::Node {
    ValueChange entry;
    Node* parent = nullptr;
    int row = 0;
    bool isLoaded = false; // its first page
    std::size_t total = 0; // number of children, once it is loaded
    std::vector<std::unique_ptr<Node>> children;
};

StateModel::StateModel(QObject* parent)
    : QAbstractItemModel(parent)
    , m_root(std::make_unique<Node>())
{
}

StateModel::~StateModel() = default;

void StateModel::reset(const Value& was, const Value& now, bool withMarks)
{
    beginResetModel();
    m_withMarks = withMarks;
    m_root = std::make_unique<Node>();
    m_root->entry.change = Change::Changed;
    m_root->entry.was = was;
    m_root->entry.now = now;
    endResetModel();
}

StateModel::Node& StateModel::node(const QModelIndex& index) const
{
    return index.isValid() ? *static_cast<Node*>(index.internalPointer()) : *m_root;
}

ValueChanges StateModel::pageOf(const Node& node) const
{
    const ChangePage page{ node.children.size(), kPage, m_withMarks };
    if (node.entry.label == ValueChange::Label::Run)
        return itemsOf(node.entry, page);
    const Value& shown = node.entry.shown();
    // Below an added or removed value nothing is marked, because all entries share its change.
    const bool compares = m_withMarks && node.entry.change == Change::Changed;
    return changesOf(compares ? node.entry.was : shown, shown,
                     compares ? page : ChangePage{ page.from, page.most, false });
}

void StateModel::take(Node& node, ValueChanges changes) const
{
    node.isLoaded = true;
    node.total = changes.total;
    for (ValueChange& entry : changes.entries) {
        auto child = std::make_unique<Node>();
        child->entry = std::move(entry);
        child->parent = &node;
        child->row = static_cast<int>(node.children.size());
        node.children.push_back(std::move(child));
    }
}

void StateModel::load(Node& node) const
{
    if (!node.isLoaded)
        take(node, pageOf(node));
}

bool StateModel::canFetchMore(const QModelIndex& parent) const
{
    if (parent.column() > 0)
        return false;
    const Node& at = node(parent);
    return at.isLoaded && at.children.size() < at.total;
}

void StateModel::fetchMore(const QModelIndex& parent)
{
    if (!canFetchMore(parent))
        return;
    Node& at = node(parent);
    ValueChanges changes = pageOf(at);
    const int first = static_cast<int>(at.children.size());
    beginInsertRows(parent, first, first + static_cast<int>(changes.entries.size()) - 1);
    take(at, std::move(changes));
    endInsertRows();
}

QModelIndex StateModel::find(const QString& pointer)
{
    Node* at = m_root.get();
    load(*at);
    for (bool isFound = !pointer.isEmpty(); isFound;) {
        isFound = false;
        for (const auto& child : at->children) {
            const QString own = StateModel::pointer(*child);
            if (own == pointer)
                return createIndex(child->row, 0, child.get());
            if (child->entry.label == ValueChange::Label::Run || !pointer.startsWith(own + QLatin1Char('/')))
                continue;
            at = child.get();
            load(*at);
            isFound = true;
            break;
        }
    }
    return {};
}

int StateModel::rowCount(const QModelIndex& parent) const
{
    if (parent.column() > 0)
        return 0;
    Node& at = node(parent);
    load(at);
    return static_cast<int>(at.children.size());
}

int StateModel::columnCount(const QModelIndex&) const
{
    return ColumnCount;
}

bool StateModel::hasChildren(const QModelIndex& parent) const
{
    if (parent.column() > 0)
        return false;
    const Node& at = node(parent);
    return at.isLoaded
        ? !at.children.empty()
        : hasEntries(at.entry.shown()) || (m_withMarks && !parent.isValid() && hasEntries(at.entry.was))
            || (m_withMarks && at.entry.change == Change::Changed
                && at.entry.was.kind() == at.entry.now.kind() && hasEntries(at.entry.was));
}

QModelIndex StateModel::index(int row, int column, const QModelIndex& parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    return createIndex(row, column, node(parent).children[static_cast<std::size_t>(row)].get());
}

QModelIndex StateModel::parent(const QModelIndex& index) const
{
    if (!index.isValid())
        return {};
    Node* above = node(index).parent;
    return above == m_root.get() ? QModelIndex() : createIndex(above->row, 0, above);
}

Qt::ItemFlags StateModel::flags(const QModelIndex& index) const
{
    const Qt::ItemFlags base = QAbstractItemModel::flags(index);
    const bool isValue = index.isValid() && node(index).entry.label != ValueChange::Label::Run;
    return isValue ? base | Qt::ItemIsDragEnabled : base;
}

QMimeData* StateModel::mimeData(const QModelIndexList& indexes) const
{
    QStringList texts;
    for (const QModelIndex& index : indexes)
        if (index.column() == ValueColumn)
            texts << index.data(WholeTextRole).toString();
    auto* data = new QMimeData;
    data->setText(texts.join(QLatin1Char('\n')));
    if (texts.size() == 1)
        data->setData(QStringLiteral("application/json"), texts.front().toUtf8());
    return data;
}

QVariant StateModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Node& at = node(index);
    const Change change = m_withMarks ? at.entry.change : Change::Same;
    const bool isRun = at.entry.label == ValueChange::Label::Run;
    switch (role) {
    case Qt::DisplayRole: return text(at, index.column());
    case Qt::ToolTipRole:
        return index.column() == SignColumn || isRun ? QString() : plainTip(at.entry.shown());
    case Qt::AccessibleTextRole:
        return index.column() == SignColumn ? QVariant(changeWord(change)) : text(at, index.column());
    case ChangeRole: return static_cast<int>(change);
    case OldTextRole:
        return change == Change::Changed
                && !(hasChildren(index.siblingAtColumn(0)) && at.entry.was.kind() == at.entry.now.kind())
            ? valueLine(at.entry.was)
            : QString();
    case ContainerRole: return at.entry.shown().isMap() || at.entry.shown().isList();
    case WholeTextRole: return isRun ? QString() : valueJson(at.entry.shown(), kCopyLength);
    case PathRole: return isRun ? QString() : path(at);
    case PointerRole: return isRun ? QString() : pointer(at);
    default: return {};
    }
}

QVariant StateModel::text(const Node& at, int column) const
{
    const ValueChange& entry = at.entry;
    if (entry.label == ValueChange::Label::Run)
        return column == ChannelColumn ? QVariant(entry.name)
            : column == ValueColumn
            ? QVariant(tr("%1 unchanged").arg(formatCount(static_cast<qint64>(entry.count))))
            : QVariant();
    switch (column) {
    case SignColumn: return m_withMarks ? sign(entry.change) : QString();
    case ChannelColumn: {
        const QString role = entry.label == ValueChange::Label::Index ? itemRole(entry.shown()) : QString();
        return role.isEmpty() ? entry.name : entry.name + QLatin1Char(' ') + role;
    }
    case ValueColumn: {
        const QString line = valueLine(entry.shown());
        if (!m_withMarks || entry.change != Change::Changed || !entry.was.isList() || !entry.now.isList())
            return line;
        const ChangeCounts counts = countChanges(entry.was, entry.now);
        return counts.added > 0 && counts.changed == 0 && counts.removed == 0
            ? tr("%1 (%2 added)").arg(line).arg(counts.added)
            : line;
    }
    default: return {};
    }
}

QVariant StateModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignLeft | Qt::AlignVCenter));
    if (role == Qt::AccessibleTextRole && section == SignColumn)
        return tr("Change");
    if (role != Qt::DisplayRole)
        return {};
    return section == ChannelColumn ? QVariant(tr("Channel"))
        : section == ValueColumn    ? QVariant(tr("Value"))
                                    : QVariant();
}

QString StateModel::path(const Node& at)
{
    QString made;
    for (const Node* step = &at; step->parent; step = step->parent) {
        if (step->entry.label == ValueChange::Label::Run)
            continue;
        const bool isKey = step->entry.label == ValueChange::Label::Key;
        const bool isFirst = !step->parent->parent;
        made.prepend(isKey && !isFirst ? QLatin1Char('.') + step->entry.name : step->entry.name);
    }
    return made;
}

QString StateModel::pointer(const Node& at)
{
    QString made;
    for (const Node* step = &at; step->parent; step = step->parent) {
        if (step->entry.label == ValueChange::Label::Run)
            continue;
        QString token = step->entry.name;
        if (step->entry.label == ValueChange::Label::Index)
            token = token.mid(1, token.size() - 2); // "[6]"
        token.replace(QLatin1Char('~'), QLatin1String("~0")).replace(QLatin1Char('/'), QLatin1String("~1"));
        made.prepend(QLatin1Char('/') + token);
    }
    return made;
}

} // namespace sg::ui
