#include "ui/pools/pool_model.h"

#include "ui/widgets/byte_format.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/time_format.h"

#include <QSet>

#include <algorithm>

namespace sg::ui {
namespace {

constexpr double kOldSeconds = 60; // what waits for longer is marked

enum class State { Paused, NoWorker, Works, Rests };

State stateOf(const PoolRow& pool)
{
    if (pool.isPaused)
        return State::Paused;
    if (pool.workers.empty() && pool.ready + pool.running > 0)
        return State::NoWorker;
    return pool.running > 0 ? State::Works : State::Rests;
}

QString stateWords(const PoolRow& pool)
{
    switch (stateOf(pool)) {
    case State::Paused: return PoolModel::tr("Paused");
    case State::NoWorker: return PoolModel::tr("No worker");
    case State::Works: return PoolModel::tr("Works");
    case State::Rests: break;
    }
    return pool.workers.empty() ? PoolModel::tr("No worker") : PoolModel::tr("Idle");
}

QIcon stateIcon(const PoolRow& pool)
{
    switch (stateOf(pool)) {
    case State::Paused: return icon(QLatin1String("pause"), &Tokens::waiting);
    case State::NoWorker: return icon(QLatin1String("warn"), &Tokens::warn);
    case State::Works: return icon(QLatin1String("play"), &Tokens::running);
    case State::Rests: break;
    }
    return icon(QLatin1String("clock"), &Tokens::muted);
}

QString workersWords(const PoolRow& pool)
{
    if (pool.workers.empty())
        return PoolModel::tr("none");
    QSet<QString> hosts;
    for (const WorkerRow& worker : pool.workers)
        hosts.insert(worker.host);
    return hosts.size() == 1 ? PoolModel::tr("%1 on 1 host").arg(pool.workers.size())
                             : PoolModel::tr("%1 on %2 hosts").arg(pool.workers.size()).arg(hosts.size());
}

QString limitWords(const PoolRow& pool)
{
    QStringList words;
    if (pool.rate > 0)
        words << rateWords(pool.rate, PoolModel::tr("s"));
    if (pool.atOnce > 0)
        words << PoolModel::tr("%1 at once").arg(pool.atOnce);
    return words.isEmpty() ? PoolModel::tr("no limit") : words.join(QStringLiteral(", "));
}

} // namespace

QString rateWords(double rate, const QString& unit)
{
    const QString number = QString::number(rate, 'f', rate > 0 && rate < 9.95 ? 1 : 0);
    return QStringLiteral("%1\u00A0/%2").arg(number, unit);
}

PoolModel::PoolModel(const PoolHistory& history, QObject* parent)
    : QAbstractTableModel(parent)
    , m_history(history)
{
}

void PoolModel::setPools(const std::vector<PoolRow>& pools)
{
    if (!std::ranges::equal(pools, m_pools, {}, &PoolRow::role, &PoolRow::role)) {
        beginResetModel();
        m_pools = pools;
        endResetModel();
        return;
    }
    m_pools = pools; // the choice stays
    if (!pools.empty())
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

int PoolModel::rowOf(const QString& role) const
{
    const auto found = std::ranges::find(m_pools, role, &PoolRow::role);
    return found == m_pools.end() ? -1 : static_cast<int>(found - m_pools.begin());
}

int PoolModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_pools.size());
}

int PoolModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString PoolModel::words(const PoolRow& pool, int column) const
{
    const std::vector<PoolSample>& samples = m_history.of(pool.role);
    switch (column) {
    case RoleColumn: return pool.role;
    case StateColumn: return stateWords(pool);
    case WaitingColumn:
        return pool.later > 0 ? tr("%1 + %2 later").arg(formatCount(pool.ready), formatCount(pool.later))
                              : formatCount(pool.ready);
    case BusyColumn: return tr("%1 of %2").arg(pool.running).arg(pool.slots);
    case OldestColumn:
        return pool.ready == 0       ? QStringLiteral("–")
            : pool.oldestSeconds < 1 ? tr("below 1 s") // the server's clock is read in seconds
                                     : formatDuration(pool.oldestSeconds);
    case RetriesColumn: return samples.empty() ? QString() : rateWords(samples.back().retries, tr("min"));
    case DeadColumn: return formatCount(pool.dead);
    case DoneColumn: return samples.empty() ? QString() : rateWords(samples.back().done, tr("s"));
    case LimitColumn: return limitWords(pool);
    case WorkersColumn: return workersWords(pool);
    default: return {};
    }
}

QVariant PoolModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const PoolRow& pool = m_pools[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole: return words(pool, column);
    case Qt::DecorationRole: return column == StateColumn ? QVariant(stateIcon(pool)) : QVariant();
    case Qt::ForegroundRole:
        if (column == DeadColumn && pool.dead > 0)
            return color(&Tokens::failed);
        if (column == OldestColumn && pool.ready > 0 && pool.oldestSeconds > kOldSeconds)
            return color(&Tokens::warn);
        return column == LimitColumn && pool.rate <= 0 && pool.atOnce <= 0 ? color(&Tokens::muted)
                                                                           : QVariant();
    case Qt::ToolTipRole:
        if (column == WaitingColumn)
            return tr("%1 wait for a worker, %2 for their time").arg(pool.ready).arg(pool.later);
        if (column == DoneColumn)
            return tr("%1 since the role is known, %2 tried again, %3 lost their worker")
                .arg(formatCount(pool.done), formatCount(pool.retried), formatCount(pool.lost));
        return words(pool, column);
    case Qt::AccessibleTextRole:
        // Jobs that wait for their time count, too: a job that a worker had at hand as its role was paused
        // does so.
        return column == RoleColumn ? tr("role %1, %2, %3 wait, %4 run, %5 dead")
                                          .arg(pool.role, stateWords(pool))
                                          .arg(pool.ready + pool.later)
                                          .arg(pool.running)
                                          .arg(pool.dead)
                                    : QVariant();
    default: return {};
    }
}

QVariant PoolModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case RoleColumn: return tr("Role");
    case StateColumn: return tr("State");
    case WaitingColumn: return tr("Waiting");
    case BusyColumn: return tr("In flight");
    case OldestColumn: return tr("Oldest");
    case RetriesColumn: return tr("Retries");
    case DeadColumn: return tr("Dead");
    case DoneColumn: return tr("Done");
    case LimitColumn: return tr("Limit");
    case WorkersColumn: return tr("Workers");
    default: return {};
    }
}

} // namespace sg::ui
