#include "ui/pools/worker_model.h"

#include "ui/widgets/byte_format.h"
#include "ui/widgets/fonts.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/palette.h"

#include <algorithm>
#include <map>

namespace sg::ui {

void WorkerModel::setPools(const std::vector<PoolRow>& pools)
{
    std::map<QString, std::vector<WorkerRow>> byHost;
    for (const PoolRow& pool : pools)
        for (const WorkerRow& worker : pool.workers)
            byHost[worker.host].push_back(worker);
    std::vector<WorkerRow> rows;
    for (const auto& [host, workers] : byHost) {
        WorkerRow head;
        head.host = host;
        for (const WorkerRow& worker : workers) {
            head.busy += worker.busy;
            head.slots += worker.slots;
            head.done += worker.done;
        }
        rows.push_back(head);
        rows.insert(rows.end(), workers.begin(), workers.end());
    }
    const auto isSame = [](const WorkerRow& a, const WorkerRow& b) {
        return a.host == b.host && a.name == b.name;
    };
    m_hosts = static_cast<int>(byHost.size());
    if (!std::ranges::equal(rows, m_rows, isSame)) {
        beginResetModel();
        m_rows = std::move(rows);
        endResetModel();
        return;
    }
    m_rows = std::move(rows);
    if (!m_rows.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

int WorkerModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int WorkerModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant WorkerModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const WorkerRow& row = m_rows[static_cast<std::size_t>(index.row())];
    const bool isHead = row.name.isEmpty();
    if (role == Qt::DecorationRole && index.column() == NameColumn)
        return isHead      ? icon(QLatin1String("chip"))
            : row.busy > 0 ? icon(QLatin1String("play"), &Tokens::running)
                           : icon(QLatin1String("check"), &Tokens::done);
    if (role == Qt::FontRole && isHead)
        return uiFont(TextSize::Dense, QFont::DemiBold);
    if (role == Qt::BackgroundRole && isHead)
        return color(&Tokens::alt);
    if (role == Qt::ToolTipRole)
        return isHead ? row.host : row.job.isEmpty() ? row.name : row.name + QLatin1Char('\n') + row.job;
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case NameColumn: return isHead ? row.host : row.name.section(QLatin1Char('-'), -2);
    case RoleColumn: return row.role;
    case DoesColumn:
        return isHead           ? tr("%1 of %2 places taken").arg(row.busy).arg(row.slots)
            : row.job.isEmpty() ? tr("free")
                                : row.job;
    case DoneColumn: return tr("%1 done").arg(formatCount(row.done));
    default: return {};
    }
}

QVariant WorkerModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case NameColumn: return tr("Worker");
    case RoleColumn: return tr("Role");
    case DoesColumn: return tr("Job");
    case DoneColumn: return tr("Done");
    default: return {};
    }
}

// A host is a heading: the jobs of its workers can be chosen.
Qt::ItemFlags WorkerModel::flags(const QModelIndex& index) const
{
    return index.isValid() && isHost(index.row()) ? Qt::ItemIsEnabled : QAbstractTableModel::flags(index);
}

} // namespace sg::ui
