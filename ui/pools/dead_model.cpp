#include "ui/pools/dead_model.h"

#include "ui/widgets/fonts.h"
#include "ui/widgets/time_format.h"

#include <algorithm>

namespace sg::ui {

void DeadModel::setLetters(const std::vector<DeadLetterRow>& rows, double nowMs)
{
    const auto isSame = [](const DeadLetterRow& a, const DeadLetterRow& b) {
        return a.role == b.role && a.job == b.job && a.timeMs == b.timeMs;
    };
    m_nowMs = nowMs;
    if (!std::ranges::equal(rows, m_rows, isSame)) {
        beginResetModel();
        m_rows = rows;
        endResetModel();
    } else if (!m_rows.empty()) {
        Q_EMIT dataChanged(index(0, AgeColumn), index(rowCount() - 1, AgeColumn));
    }
}

int DeadModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int DeadModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant DeadModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const DeadLetterRow& row = m_rows[static_cast<std::size_t>(index.row())];
    if (role == Qt::FontRole && index.column() == JobColumn)
        return monoFont(TextSize::Dense);
    if (role == Qt::ToolTipRole)
        return index.column() == WhyColumn ? row.why : row.job;
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case JobColumn: return row.job;
    case RoleColumn: return row.role;
    case WhyColumn: return row.why.section(QLatin1Char('\n'), 0, 0);
    case TriesColumn: return row.attempts;
    case AgeColumn: return formatDuration(std::max(0.0, (m_nowMs - row.timeMs) / 1000));
    default: return {};
    }
}

QVariant DeadModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case JobColumn: return tr("Job");
    case RoleColumn: return tr("Role");
    case WhyColumn: return tr("Why");
    case TriesColumn: return tr("Tries");
    case AgeColumn: return tr("Age");
    default: return {};
    }
}

} // namespace sg::ui
