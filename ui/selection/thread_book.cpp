#include "ui/selection/thread_book.h"

#include <algorithm>
#include <utility>

namespace sg::ui {

void ThreadBook::setThreads(std::vector<ThreadRow> rows)
{
    m_rows = std::move(rows);
    Q_EMIT listed();
}

void ThreadBook::setStatus(const QString& thread, RunStatus status)
{
    const auto known = std::ranges::find(m_rows, thread, &ThreadRow::thread);
    if (known != m_rows.end())
        known->status = status;
    else
        m_rows.insert(m_rows.begin(), { thread, 0, kUnknown, status });
    Q_EMIT statusChanged(thread);
}

void ThreadBook::setNotes(const NoteRows& notes)
{
    m_notes = notes;
    Q_EMIT notesChanged();
}

void ThreadBook::setLabel(const QString& thread, const QString& label)
{
    m_notes[thread].label = label;
    Q_EMIT labelEdited(thread, label);
}

void ThreadBook::setPaused(const QHash<QString, QString>& nodes)
{
    if (nodes == m_paused)
        return;
    m_paused = nodes;
    Q_EMIT pausedChanged();
}

void ThreadBook::remove(const QString& thread)
{
    m_deleted << thread;
    Q_EMIT deletedChanged();
}

QString ThreadBook::bringBack()
{
    if (m_deleted.isEmpty())
        return {};
    const QString thread = m_deleted.takeLast();
    Q_EMIT deletedChanged();
    return thread;
}

void ThreadBook::keep(const QString& thread)
{
    if (m_deleted.removeAll(thread) > 0)
        Q_EMIT deletedChanged();
}

void ThreadBook::forgetDeleted()
{
    if (!std::exchange(m_deleted, {}).isEmpty())
        Q_EMIT deletedChanged();
}

QStringList ThreadBook::threads() const
{
    QStringList names;
    for (const ThreadRow& row : m_rows)
        if (!m_deleted.contains(row.thread))
            names << row.thread;
    return names;
}

bool ThreadBook::contains(const QString& thread) const
{
    return !m_deleted.contains(thread)
        && std::ranges::find(m_rows, thread, &ThreadRow::thread) != m_rows.end();
}

RunStatus ThreadBook::status(const QString& thread) const
{
    const auto known = std::ranges::find(m_rows, thread, &ThreadRow::thread);
    return known == m_rows.end() ? RunStatus::Unknown : known->status;
}

bool ThreadBook::isRunning(const QString& thread) const
{
    return status(thread) == RunStatus::Running;
}

QString ThreadBook::label(const QString& thread) const
{
    const QString label = m_notes.value(thread).label;
    return label.isEmpty() ? thread : label;
}

QHash<QString, QString> ThreadBook::bookmarks(const QString& thread) const
{
    return m_notes.value(thread).bookmarks;
}

} // namespace sg::ui
