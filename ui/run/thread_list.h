#pragma once

#include <QList>
#include <QWidget>

class QAction;
class QListView;
class QStackedLayout;
class QToolButton;

namespace sg::ui {

class ElidedLabel;
class EmptyState;
class FilterEdit;
struct PanelParts;
class Strip;
class ThreadBook;
class ThreadFilter;
class ThreadModel;

// The project's threads with how they stand: searched, ordered, relabelled, deleted. Choosing one shows it
// everywhere.
class ThreadList : public QWidget {
    Q_OBJECT
public:
    explicit ThreadList(const PanelParts& parts, QWidget* parent = nullptr);
    explicit ThreadList(ThreadBook& book, QWidget* parent = nullptr); // the book alone

    void setCurrent(const QString& thread);
    void setCanRun(bool canRun);
    void setCanDelete(bool canDelete); // not where a database is only read
    [[nodiscard]] QList<QAction*> orderActions() const;
    void addVerb(QAction* verb) { m_verbs << verb; } // to the menu of threads
    // It is the same with threads and without: the docks beside it must not move when the first comes.
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    void threadSelected(const QString& thread);
    void runRequested(); // from the empty state

protected:
    bool eventFilter(QObject* watched, QEvent* event) override; // Delete deletes, Ctrl+Z restores

private:
    void createBar();
    void createUndo();
    void followBook();
    void showThreads();
    void showDeleted();
    void showUndo();
    void showMenu(const QPoint& position);
    void remove();
    void bringBack();
    void showPage();
    [[nodiscard]] QString current() const;

    ThreadBook& m_book;
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
    bool m_canDelete = true;
    QList<QAction*> m_verbs;
};

} // namespace sg::ui
