#include "ui/connections/remote_model.h"

#include "ui/widgets/icons.h"
#include "ui/widgets/palette.h"
#include "ui/widgets/time_format.h"

#include <QDateTime>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sg::ui {
namespace {

constexpr double kSoonSeconds = 300; // until it ends: that is marked

double secondsLeft(const RemoteSandboxRow& row)
{
    return (row.endsMs - static_cast<double>(QDateTime::currentMSecsSinceEpoch())) / 1000;
}

QString leftWords(const RemoteSandboxRow& row)
{
    if (row.isPaused)
        return RemoteModel::tr("paused");
    if (std::isnan(row.endsMs))
        return RemoteModel::tr("until it is ended");
    const double left = secondsLeft(row);
    return left > 0 ? formatCountdown(left) : RemoteModel::tr("its time is over");
}

} // namespace

RemoteModel::RemoteModel(QObject* parent)
    : QAbstractTableModel(parent)
{
    m_second.setInterval(1000);
    connect(&m_second, &QTimer::timeout, this,
            [this] { Q_EMIT dataChanged(index(0, LeftColumn), index(rowCount() - 1, LeftColumn)); });
}

void RemoteModel::setSandboxes(const QString& connection, const std::vector<RemoteSandboxRow>& rows)
{
    std::vector<RemoteSandboxRow> all = m_rows;
    std::erase_if(all, [&](const RemoteSandboxRow& row) { return row.connection == connection; });
    all.insert(all.end(), rows.begin(), rows.end());
    take(std::move(all));
}

void RemoteModel::keep(const QStringList& connections)
{
    std::vector<RemoteSandboxRow> rows = m_rows;
    std::erase_if(rows, [&](const RemoteSandboxRow& row) { return !connections.contains(row.connection); });
    take(std::move(rows));
}

void RemoteModel::remove(const QString& sandbox)
{
    std::vector<RemoteSandboxRow> rows = m_rows;
    std::erase_if(rows, [&](const RemoteSandboxRow& row) { return row.name == sandbox; });
    take(std::move(rows));
}

void RemoteModel::take(std::vector<RemoteSandboxRow> rows)
{
    const auto end = [](const RemoteSandboxRow& row) {
        return std::isnan(row.endsMs) ? std::numeric_limits<double>::max() : row.endsMs;
    };
    std::ranges::stable_sort(rows, {}, end);
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
    if (m_rows.empty())
        m_second.stop();
    else if (!m_second.isActive())
        m_second.start();
}

int RemoteModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int RemoteModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant RemoteModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const RemoteSandboxRow& row = m_rows[static_cast<std::size_t>(index.row())];
    if (role == Qt::DecorationRole && index.column() == SandboxColumn)
        return icon(QLatin1String(row.isPaused ? "pause" : "play"),
                    row.isPaused ? &Tokens::muted : &Tokens::running);
    const bool endsSoon = !row.isPaused && secondsLeft(row) < kSoonSeconds;
    if (role == Qt::ForegroundRole && index.column() == LeftColumn && endsSoon)
        return color(&Tokens::warn);
    if (role == Qt::ToolTipRole && index.column() == ThreadColumn)
        return row.project;
    if (role == Qt::AccessibleTextRole && index.column() == SandboxColumn)
        return tr("sandbox %1 of thread %2, %3").arg(row.name, row.thread, leftWords(row));
    if (role != Qt::DisplayRole)
        return {};
    switch (index.column()) {
    case SandboxColumn: return row.name.section(QLatin1Char('/'), 1);
    case ThreadColumn: return row.thread;
    case WhereColumn: return row.connection;
    case LeftColumn: return leftWords(row);
    default: return {};
    }
}

QVariant RemoteModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case SandboxColumn: return tr("Sandbox");
    case ThreadColumn: return tr("Thread");
    case WhereColumn: return tr("Where");
    case LeftColumn: return tr("Time left");
    default: return {};
    }
}

} // namespace sg::ui
