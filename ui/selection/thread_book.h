#pragma once

#include "ui/bridge/rows/history_rows.h"

#include <QObject>
#include <QStringList>

#include <vector>

namespace sg::ui {

// The project's threads with how they stand, what people have noted of them, and which the user has deleted.
// A deleted one is only hidden: it is removed when the project is closed.
class ThreadBook : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    void setThreads(std::vector<ThreadRow> rows); // newest first
    void setStatus(const QString& thread, RunStatus status); // adds a thread that is new
    void setNotes(const NoteRows& notes);
    void setLabel(const QString& thread, const QString& label); // by the user; empty: its id is shown again
    void setPaused(const QHash<QString, QString>& nodes); // thread → nodes that a breakpoint holds it before
    void remove(const QString& thread);
    QString bringBack(); // the one that was deleted last; empty: none was
    void keep(const QString& thread); // it is used again: not deleted any more
    void forgetDeleted(); // another project

    [[nodiscard]] const std::vector<ThreadRow>& rows() const { return m_rows; } // with deleted ones
    [[nodiscard]] QStringList threads() const; // without them
    [[nodiscard]] bool contains(const QString& thread) const; // and is not deleted
    [[nodiscard]] RunStatus status(const QString& thread) const; // Unknown where there is no such thread
    [[nodiscard]] bool isRunning(const QString& thread) const;
    [[nodiscard]] QString label(const QString& thread) const; // its label, else its id
    [[nodiscard]] const NoteRows& notes() const { return m_notes; }
    [[nodiscard]] QHash<QString, QString> bookmarks(const QString& thread) const; // checkpoint → note
    [[nodiscard]] const QHash<QString, QString>& paused() const { return m_paused; }
    [[nodiscard]] const QStringList& deleted() const { return m_deleted; }

Q_SIGNALS:
    void listed(); // threads were read: others than before, or they stand otherwise
    void statusChanged(const QString& thread);
    void notesChanged();
    void labelEdited(const QString& thread, const QString& label); // by the user
    void pausedChanged();
    void deletedChanged();

private:
    std::vector<ThreadRow> m_rows;
    NoteRows m_notes;
    QHash<QString, QString> m_paused;
    QStringList m_deleted;
};

} // namespace sg::ui
