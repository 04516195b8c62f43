#pragma once

#include "ui/bridge/rows/world_rows.h"

#include <QTreeView>
#include <QWidget>

class QComboBox;
class QHBoxLayout;
class QSortFilterProxyModel;
class QStackedWidget;

namespace sg::ui {

class ElidedLabel;
class EmptyState;
class FilterEdit;

// Common parts of the variables and files panels: a row with the viewed checkpoint and how exactly it can be
// restored, a filter, the rows, or a sentence instead of rows.
class WorldFrame : public QWidget {
    Q_OBJECT
public:
    struct Words {
        QString name; // the panel's name, "Variables"
        QString filter;
        QLatin1String icon;
        QString nothing; // shown while no checkpoint is selected
    };
    // Takes ownership of `view`.
    WorldFrame(const Words& words, QAbstractItemModel* model, int filterRole, QTreeView* view,
               QWidget* parent);

    void clear();
    // `problem` tells why there are no rows, which is no error; `nothing` is shown if the rows are empty.
    void show(const WorldView& world, const QString& problem, const QString& nothing);
    void showMoment(const QString& words); // call it after show()
    [[nodiscard]] QTreeView& view() { return *m_view; }
    void addControl(QWidget* control); // before the filter
    void setNote(const QString& words); // replaces the checkpoint's text until it is empty
    void paintNote(const QString& words); // the same, but painted at once, for times when events are blocked

Q_SIGNALS:
    void filtered();
    void sessionChosen(const QString& session); // one of the sessions that the checkpoint knows

private:
    void showRows();
    void showBar();
    void fillSessions(const WorldView& world);

    const Words m_words;
    QSortFilterProxyModel* m_proxy;
    ElidedLabel* m_moment;
    QComboBox* m_sessions; // visible if there are several
    FilterEdit* m_filter;
    QStackedWidget* m_pages;
    EmptyState* m_empty;
    QTreeView* m_view;
    QHBoxLayout* m_bar;
    QString m_momentWords;
    QString m_note;
    QString m_sentence; // shown instead of rows; empty if there are some
};

// Example: "2 added, 1 changed"; "no changes"
QString changesWords(const std::vector<WorldChange>& changes);
// Example: "Step 4, kept exactly: 2 added, 1 changed"
QString momentWords(const WorldView& world, const std::vector<WorldChange>& changes);

} // namespace sg::ui
