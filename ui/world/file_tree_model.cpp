#include "ui/world/file_tree_model.h"

#include "ui/widgets/byte_format.h"
#include "ui/world/world_look.h"

#include <algorithm>
#include <utility>

namespace sg::ui {
namespace {

bool isChange(WorldChange change)
{
    return change != WorldChange::Same && change != WorldChange::Unknown;
}

QString filesText(int files)
{
    return files == 1 ? FileTreeModel::tr("1 file") : FileTreeModel::tr("%1 files").arg(formatCount(files));
}

QString iconOf(const QString& name)
{
    const QString ending = name.section(QLatin1Char('.'), -1).toLower();
    const auto isOne = [&ending](std::initializer_list<const char*> endings) {
        return std::ranges::any_of(endings, [&](const char* one) { return ending == QLatin1String(one); });
    };
    if (isOne({ "png", "jpg", "jpeg", "gif", "webp", "bmp", "svg" }))
        return QStringLiteral("image");
    if (isOne({ "csv", "tsv", "parquet", "arrow", "feather" }))
        return QStringLiteral("table");
    if (isOne({ "py" }))
        return QStringLiteral("python");
    return isOne({ "txt", "md", "json", "yaml", "toml", "log" }) ? QStringLiteral("text")
                                                                 : QStringLiteral("file");
}

} // namespace

FileTreeModel::FileTreeModel(QObject* parent)
    : QAbstractItemModel(parent)
    , m_entries(1)
{
}

const FileTreeModel::Entry& FileTreeModel::at(const QModelIndex& index) const
{
    return m_entries[index.isValid() ? static_cast<std::size_t>(index.internalId()) : 0];
}

QModelIndex FileTreeModel::index(int row, int column, const QModelIndex& parent) const
{
    const std::vector<int>& children = at(parent).children;
    if (row < 0 || row >= static_cast<int>(children.size()) || column < 0 || column >= ColumnCount
        || parent.column() > 0)
        return {};
    return createIndex(row, column, static_cast<quintptr>(children[static_cast<std::size_t>(row)]));
}

QModelIndex FileTreeModel::parent(const QModelIndex& index) const
{
    const int above = at(index).parent;
    if (!index.isValid() || above == 0)
        return {};
    return createIndex(m_entries[static_cast<std::size_t>(above)].row, 0, static_cast<quintptr>(above));
}

int FileTreeModel::rowCount(const QModelIndex& parent) const
{
    return parent.column() > 0 ? 0 : static_cast<int>(at(parent).children.size());
}

int FileTreeModel::columnCount(const QModelIndex&) const
{
    return ColumnCount;
}

QString FileTreeModel::changeText(const Entry& entry)
{
    if (isChange(entry.file.change) || entry.changes == 0)
        return changeWord(entry.file.change);
    return entry.changes == 1 ? tr("1 change inside") : tr("%1 changes inside").arg(entry.changes);
}

// Example: "data/penguins.csv, 13 kB, changed"
QString FileTreeModel::spoken(const Entry& entry)
{
    QStringList words{ entry.file.path };
    if (entry.file.type == WorldFileRow::Type::File)
        words << formatBytes(entry.file.size);
    if (entry.file.type == WorldFileRow::Type::Folder)
        words << tr("folder");
    if (entry.file.type == WorldFileRow::Type::Link)
        words << tr("link to %1").arg(entry.file.target);
    words << changeText(entry);
    words.removeAll(QString());
    return words.join(QStringLiteral(", "));
}

QVariant FileTreeModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Entry& entry = at(index);
    const bool isFolder = entry.file.type == WorldFileRow::Type::Folder;
    switch (role) {
    case Qt::DisplayRole:
        switch (index.column()) {
        case NameColumn:
            return entry.file.type == WorldFileRow::Type::Link
                ? entry.name + QStringLiteral(" → ") + entry.file.target
                : entry.name + (isFolder ? QStringLiteral("/") : QString());
        case SizeColumn:
            return entry.file.type == WorldFileRow::Type::File ? formatBytes(entry.file.size)
                : isFolder && entry.files > 0                  ? filesText(entry.files)
                                                               : QString();
        case ChangeColumn: return changeText(entry);
        default: return {};
        }
    case Qt::ToolTipRole: return spoken(entry);
    case Qt::AccessibleTextRole:
        return index.column() == NameColumn ? spoken(entry) : data(index, Qt::DisplayRole);
    case Qt::TextAlignmentRole:
        return index.column() == SizeColumn ? QVariant(static_cast<int>(Qt::AlignRight | Qt::AlignVCenter))
                                            : QVariant();
    case PathRole: return entry.file.path;
    case SizeRole: return entry.file.size;
    case ChangesBeneathRole: return entry.changes;
    case WorldDelegate::IconRole:
        return index.column() != NameColumn ? QString()
            : isFolder                      ? QStringLiteral("folder")
                                            : iconOf(entry.name);
    case TypeRole: return static_cast<int>(entry.file.type);
    case WorldDelegate::ChangeRole: return static_cast<int>(entry.file.change);
    default: return {};
    }
}

QVariant FileTreeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole && section == SizeColumn)
        return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter); // aligned like the numbers
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case NameColumn: return tr("Name");
    case SizeColumn: return tr("Size");
    case ChangeColumn: return tr("Change");
    default: return {};
    }
}

Qt::ItemFlags FileTreeModel::flags(const QModelIndex& index) const
{
    return QAbstractItemModel::flags(index) | (index.isValid() ? Qt::ItemIsDragEnabled : Qt::NoItemFlags);
}

int FileTreeModel::folderFor(const QString& path)
{
    const auto slash = path.lastIndexOf(QLatin1Char('/'));
    if (slash < 0)
        return 0;
    const QString folder = path.left(slash);
    if (const auto known = m_folders.constFind(folder); known != m_folders.constEnd())
        return *known;
    WorldFileRow made;
    made.path = folder;
    made.type = WorldFileRow::Type::Folder;
    add(made);
    return m_folders.value(folder);
}

void FileTreeModel::add(const WorldFileRow& row)
{
    if (row.type == WorldFileRow::Type::Folder)
        if (const auto known = m_folders.constFind(row.path); known != m_folders.constEnd()) {
            m_entries[static_cast<std::size_t>(*known)].file = row;
            return;
        }
    const int parent = folderFor(row.path);
    const int number = static_cast<int>(m_entries.size());
    Entry entry;
    entry.file = row;
    entry.name = row.path.section(QLatin1Char('/'), -1);
    entry.parent = parent;
    m_entries.push_back(std::move(entry));
    m_entries[static_cast<std::size_t>(parent)].children.push_back(number);
    if (row.type == WorldFileRow::Type::Folder) {
        m_folders.insert(row.path, number);
        return;
    }
    for (int above = parent; above != 0; above = m_entries[static_cast<std::size_t>(above)].parent) {
        Entry& folder = m_entries[static_cast<std::size_t>(above)];
        folder.changes += isChange(row.change) ? 1 : 0;
        folder.files += row.change == WorldChange::Removed ? 0 : 1;
    }
}

void FileTreeModel::sort()
{
    for (Entry& entry : m_entries) {
        std::ranges::stable_sort(entry.children, {}, [this](int number) {
            const Entry& child = m_entries[static_cast<std::size_t>(number)];
            return std::pair(child.file.type != WorldFileRow::Type::Folder, child.name);
        });
        for (std::size_t row = 0; row < entry.children.size(); ++row)
            m_entries[static_cast<std::size_t>(entry.children[row])].row = static_cast<int>(row);
    }
}

void FileTreeModel::reset(const std::vector<WorldFileRow>& rows)
{
    beginResetModel();
    m_entries.assign(1, {});
    m_folders.clear();
    for (const WorldFileRow& row : rows)
        add(row);
    sort();
    endResetModel();
}

} // namespace sg::ui
