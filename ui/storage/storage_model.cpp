#include "ui/storage/storage_model.h"

#include "ui/widgets/byte_format.h"

#include <algorithm>
#include <cmath>

namespace sg::ui {

int StorageModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int StorageModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant StorageModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    if (role == ShareRole)
        return m_largest > 0 ? row.row.bytes / m_largest : 0.0;
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::AlignVCenter
                                   | (index.column() == CountColumn ? Qt::AlignRight : Qt::AlignLeft));
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case NameColumn: return row.row.name;
    case KindColumn: return row.kind;
    case SizeColumn: return formatBytes(static_cast<qint64>(std::llround(row.row.bytes)));
    case CountColumn: return row.row.count == 1 ? row.one : row.many.arg(formatCount(row.row.count));
    default: return {};
    }
}

QVariant StorageModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    const QString names[] = { tr("Name"), tr("What"), tr("Size"), tr("Count") };
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::AlignVCenter
                                   | (section == CountColumn ? Qt::AlignRight : Qt::AlignLeft));
    return role == Qt::DisplayRole ? QVariant(names[section]) : QVariant();
}

void StorageModel::reset(const StorageView& view)
{
    beginResetModel();
    m_rows.clear();
    const auto add = [this](const QString& kind, const QString& one, const QString& many,
                            const std::vector<StorageRow>& rows) {
        for (const StorageRow& row : rows)
            m_rows.push_back({ kind, one, many, row });
    };
    add(tr("Thread"), tr("1 checkpoint"), tr("%1 checkpoints"), view.threads);
    add(tr("Channel"), tr("1 write"), tr("%1 writes"), view.channels);
    add(tr("Artifacts"), tr("1 file"), tr("%1 files"), view.artifacts);
    add(tr("Artifact"), tr("1 version"), tr("%1 versions"), view.files);
    add(tr("Snapshots"), tr("1 content"), tr("%1 contents"), view.snapshots);
    std::ranges::stable_sort(m_rows, std::ranges::greater(), [](const Row& row) { return row.row.bytes; });
    m_largest = m_rows.empty() ? 0 : m_rows.front().row.bytes;
    endResetModel();
}

} // namespace sg::ui
