#include "ui/run/thread_model.h"

#include "ui/widgets/state_look.h"

#include <algorithm>

namespace sg::ui {

int ThreadModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant ThreadModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const ThreadRow& row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole: return shownName(row);
    case Qt::ToolTipRole: // a name from elsewhere could contain markup
        return QStringLiteral("<p>%1</p>").arg(row.thread.toHtmlEscaped())
            + (row.problem.isEmpty() ? QString()
                                     : QStringLiteral("<p>%1</p>").arg(row.problem.toHtmlEscaped()));
    case ThreadRole: return row.thread;
    case StatusRole: return QVariant::fromValue(row.status);
    case WordRole: return wordOf(row);
    case CheckpointsRole: return row.checkpoints;
    case UpdatedRole: return row.updatedMs;
    case PausedRole: return isPaused(row);
    case Qt::AccessibleTextRole:
        return tr("%1, %2, checkpoints: %3").arg(shownName(row), wordOf(row)).arg(row.checkpoints);
    default: return {};
    }
}

QString ThreadModel::shownName(const ThreadRow& row) const
{
    const QString label = m_labels.value(row.thread);
    return label.isEmpty() ? row.thread : label;
}

bool ThreadModel::isPaused(const ThreadRow& row) const
{
    return row.status == RunStatus::Interrupted && m_paused.contains(row.thread);
}

// "unfinished": the program ended in the middle of a run; the thread waits for Resume.
QString ThreadModel::wordOf(const ThreadRow& row) const
{
    if (row.status == RunStatus::Unfinished)
        return tr("Not finished");
    if (row.status == RunStatus::Damaged)
        return tr("Damaged");
    if (isPaused(row))
        return tr("Paused before %1").arg(m_paused.value(row.thread));
    return stateWord(stateOf(row.status));
}

Qt::ItemFlags ThreadModel::flags(const QModelIndex& index) const
{
    return QAbstractListModel::flags(index) | (index.isValid() ? Qt::ItemIsEditable : Qt::NoItemFlags);
}

bool ThreadModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::EditRole || !index.isValid())
        return false;
    const ThreadRow& row = m_rows[static_cast<std::size_t>(index.row())];
    const QString typed = value.toString().simplified();
    const QString label = typed == row.thread ? QString() : typed;
    if (label == m_labels.value(row.thread))
        return false;
    m_labels.insert(row.thread, label);
    Q_EMIT dataChanged(index, index);
    Q_EMIT labelEdited(row.thread, label);
    return true;
}

void ThreadModel::setLabels(const QHash<QString, QString>& labels)
{
    m_labels = labels;
    if (!m_rows.empty())
        Q_EMIT dataChanged(index(0), index(rowCount() - 1));
}

void ThreadModel::setPaused(const QHash<QString, QString>& nodes)
{
    if (nodes == m_paused)
        return;
    m_paused = nodes;
    if (!m_rows.empty())
        Q_EMIT dataChanged(index(0), index(rowCount() - 1));
}

void ThreadModel::reset(std::vector<ThreadRow> rows)
{
    const auto name = [](const ThreadRow& row) { return row.thread; };
    if (std::ranges::equal(rows, m_rows, {}, name, name)) {
        m_rows = std::move(rows);
        if (!m_rows.empty())
            Q_EMIT dataChanged(index(0), index(rowCount() - 1));
        return;
    }
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

void ThreadModel::setStatus(const QString& thread, RunStatus status)
{
    const QModelIndex known = indexOf(thread);
    if (known.isValid()) {
        m_rows[static_cast<std::size_t>(known.row())].status = status;
        Q_EMIT dataChanged(known, known);
        return;
    }
    beginInsertRows({}, 0, 0);
    m_rows.insert(m_rows.begin(), { thread, 0, kUnknown, status });
    endInsertRows();
}

QModelIndex ThreadModel::indexOf(const QString& thread) const
{
    const auto row = std::ranges::find(m_rows, thread, &ThreadRow::thread);
    return row == m_rows.end() ? QModelIndex() : index(static_cast<int>(row - m_rows.begin()));
}

QStringList ThreadModel::threads() const
{
    QStringList names;
    for (const ThreadRow& row : m_rows)
        names << row.thread;
    return names;
}

RunStatus ThreadModel::status(const QString& thread) const
{
    return indexOf(thread).data(StatusRole).value<RunStatus>();
}

} // namespace sg::ui
