#pragma once

#include "ui/bridge/rows/history_rows.h"

#include <QList>
#include <QStringList>
#include <QWidget>

#include <vector>

class QAction;
class QListView;
class QStackedLayout;
class QToolButton;

namespace sg::ui {

class ElidedLabel;
class EmptyState;
class FilterEdit;
class Strip;
class ThreadFilter;
class ThreadModel;

// The project's threads with how they stand: searched, ordered, relabelled, deleted. Choosing one shows it
// everywhere. A deleted one is only hidden: the window removes it when the project is closed.
class ThreadList : public QWidget {
    Q_OBJECT
public:
    explicit ThreadList(QWidget* parent = nullptr);

    void setThreads(const std::vector<ThreadRow>& rows);
    void setStatus(const QString& thread, const QString& status);
    void setLabels(const NoteRows& notes);
    void setPaused(const QHash<QString, QString>& nodes); // thread → nodes that a breakpoint holds it before
    void setCurrent(const QString& thread);
    void setCanRun(bool canRun);
    void setCanDelete(bool canDelete); // not where a database is only read
    void forgetDeleted(); // another project
    void keep(const QString& thread); // it is used again: not deleted any more
    [[nodiscard]] QStringList threads() const; // without deleted ones
    [[nodiscard]] QString status(const QString& thread) const;
    [[nodiscard]] QString label(const QString& thread) const; // its label, else its id
    [[nodiscard]] QList<QAction*> orderActions() const;
    [[nodiscard]] const QStringList& deleted() const { return m_deleted; }

Q_SIGNALS:
    void threadSelected(const QString& thread);
    void labelEdited(const QString& thread, const QString& label); // empty: its id is shown again
    void deletedChanged();
    void runRequested(); // from the empty state

protected:
    bool eventFilter(QObject* watched, QEvent* event) override; // Delete; Ctrl+Z brings back

private:
    void createBar();
    void createUndo();
    void showUndo();
    void showMenu(const QPoint& position);
    void remove();
    void bringBack();
    void showPage();
    [[nodiscard]] QString current() const;

    ThreadModel* m_model;
    ThreadFilter* m_filter;
    Strip* m_bar;
    FilterEdit* m_search;
    QToolButton* m_order;
    QListView* m_view;
    EmptyState* m_empty;
    EmptyState* m_nothingFound;
    QStackedLayout* m_stack;
    Strip* m_undo;
    ElidedLabel* m_undoWords;
    QString m_shown; // also where the search hides it
    QStringList m_deleted;
    bool m_canDelete = true;
};

} // namespace sg::ui
