#include "ui/world/variable_model.h"

#include "ui/widgets/byte_format.h"
#include "ui/world/world_look.h"

namespace sg::ui {
namespace {

QString valueOf(const VariableRow& row)
{
    return row.missing.isEmpty() ? row.preview : VariableModel::tr("not kept: %1").arg(row.missing);
}

// Example: "held, list, 3, 120 B, changed: [1, 2, 3]"
QString spoken(const VariableRow& row)
{
    QStringList words{ row.name, row.type, row.shape };
    if (row.bytes >= 0)
        words << formatBytes(row.bytes);
    words << changeWord(row.change) << valueOf(row);
    words.removeAll(QString());
    return words.join(QStringLiteral(", "));
}

} // namespace

int VariableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int VariableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant VariableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const VariableRow& row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        switch (index.column()) {
        case NameColumn: return row.name;
        case TypeColumn: return row.type;
        case ShapeColumn: return row.shape;
        case SizeColumn: return row.bytes >= 0 ? formatBytes(row.bytes) : QString();
        case ValueColumn: return valueOf(row);
        default: return {};
        }
    case SortRole: return index.column() == SizeColumn ? QVariant(row.bytes) : data(index, Qt::DisplayRole);
    case Qt::AccessibleTextRole:
        return index.column() == NameColumn ? spoken(row) : data(index, Qt::DisplayRole);
    case Qt::ToolTipRole: return index.column() == ValueColumn ? valueOf(row) : spoken(row);
    case Qt::TextAlignmentRole:
        return index.column() == SizeColumn ? QVariant(static_cast<int>(Qt::AlignRight | Qt::AlignVCenter))
                                            : QVariant();
    case WorldDelegate::ChangeRole: return static_cast<int>(row.change);
    case WorldDelegate::MonoRole: return index.column() == ValueColumn && row.missing.isEmpty();
    default: return {};
    }
}

QVariant VariableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole && section == SizeColumn)
        return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter); // aligned like the numbers
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case NameColumn: return tr("Name");
    case TypeColumn: return tr("Type");
    case ShapeColumn: return tr("Shape");
    case SizeColumn: return tr("Size");
    case ValueColumn: return tr("Value");
    default: return {};
    }
}

void VariableModel::reset(std::vector<VariableRow> rows)
{
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

} // namespace sg::ui
