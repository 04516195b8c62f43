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

// What the panels of a session's variables and files have in common: the row that says which moment they show
// and whether it can be had again, a filter, the rows, or a sentence in their place.
class WorldFrame : public QWidget {
    Q_OBJECT
public:
    struct Words {
        QString name; // of the panel, "Variables"
        QString filter;
        QLatin1String icon;
        QString nothing; // while no checkpoint is selected
    };
    // `view`: becomes a child.
    WorldFrame(const Words& words, QAbstractItemModel* model, int filterRole, QTreeView* view,
               QWidget* parent);

    void clear();
    // `problem`: why there are no rows, which is no error; empty: there may be some.
    void show(const WorldView& world, const QString& problem, const QString& nothing);
    void showMoment(const QString& words); // after show()
    [[nodiscard]] QTreeView& view() { return *m_view; }
    void addControl(QWidget* control); // before the filter
    void setNote(const QString& words); // in place of the moment for as long as it is not empty
    void paintNote(const QString& words); // the same at once, where no events are handled

Q_SIGNALS:
    void filtered();
    void sessionChosen(const QString& session); // of several that the moment knows

private:
    void showRows();
    void showBar();
    void fillSessions(const WorldView& world);

    const Words m_words;
    QSortFilterProxyModel* m_proxy;
    ElidedLabel* m_moment;
    QComboBox* m_sessions; // seen where there are several
    FilterEdit* m_filter;
    QStackedWidget* m_pages;
    EmptyState* m_empty;
    QTreeView* m_view;
    QHBoxLayout* m_bar;
    QString m_momentWords;
    QString m_note;
    QString m_sentence; // in place of rows; empty: there are some
};

// "2 added, 1 changed"; "no changes"
QString changesWords(const std::vector<WorldChange>& changes);
// "Step 4, kept exactly: 2 added, 1 changed"
QString momentWords(const WorldView& world, const std::vector<WorldChange>& changes);

} // namespace sg::ui
