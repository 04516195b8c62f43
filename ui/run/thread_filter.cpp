#include "ui/run/thread_filter.h"

#include "ui/run/thread_model.h"
#include "ui/widgets/state_look.h"

#include <algorithm>

namespace sg::ui {

namespace {

const QLatin1String kStatus("status:");

// Threads that need a person come first.
int urgency(RunStatus status)
{
    switch (stateOf(status)) {
    case StateKind::Waiting: return 0;
    case StateKind::Running: return 1;
    case StateKind::Failed: return 2;
    case StateKind::Stopped: return 3;
    default: return 4;
    }
}

} // namespace

ThreadFilter::ThreadFilter(QObject* parent)
    : QSortFilterProxyModel(parent)
{
    setDynamicSortFilter(true);
}

void ThreadFilter::setSearch(const QString& text)
{
    m_words = text.simplified().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    invalidateFilter();
}

void ThreadFilter::setOrder(Order order)
{
    m_order = order;
    sort(order == Order::Newest ? -1 : 0); // the source has the newest first
    invalidate();
}

void ThreadFilter::setHidden(const QStringList& threads)
{
    m_hidden = QSet<QString>(threads.begin(), threads.end());
    invalidateFilter();
}

bool ThreadFilter::filterAcceptsRow(int row, const QModelIndex& parent) const
{
    const QModelIndex index = sourceModel()->index(row, 0, parent);
    const QString thread = index.data(ThreadModel::ThreadRole).toString();
    if (m_hidden.contains(thread))
        return false;
    const QString label = index.data().toString();
    const QString status =
        QString::fromStdString(runStatusName(index.data(ThreadModel::StatusRole).value<RunStatus>()));
    return std::ranges::all_of(m_words, [&](const QString& word) {
        if (word.startsWith(kStatus, Qt::CaseInsensitive)) {
            const QString wanted = word.mid(kStatus.size());
            return status.startsWith(wanted, Qt::CaseInsensitive)
                || index.data(ThreadModel::WordRole).toString().startsWith(wanted, Qt::CaseInsensitive);
        }
        return thread.contains(word, Qt::CaseInsensitive) || label.contains(word, Qt::CaseInsensitive);
    });
}

bool ThreadFilter::lessThan(const QModelIndex& left, const QModelIndex& right) const
{
    const auto name = [](const QModelIndex& index) { return index.data().toString(); };
    const auto count = [](const QModelIndex& index) {
        return index.data(ThreadModel::CheckpointsRole).toLongLong();
    };
    const auto status = [](const QModelIndex& index) {
        return urgency(index.data(ThreadModel::StatusRole).value<RunStatus>());
    };
    switch (m_order) {
    case Order::Newest: break;
    case Order::Name: return QString::localeAwareCompare(name(left), name(right)) < 0;
    case Order::Size:
        if (count(left) != count(right))
            return count(left) > count(right);
        break;
    case Order::Status:
        if (status(left) != status(right))
            return status(left) < status(right);
        break;
    }
    return left.row() < right.row();
}

} // namespace sg::ui
