#pragma once

#include "ui/bridge/rows/history_rows.h"
#include "ui/bridge/rows/rows.h"
#include "ui/timeline/planned_branch.h"

#include <QHash>
#include <QList>
#include <QWidget>

#include <vector>

class QAction;

namespace sg::ui {

struct PanelParts;
class ShownHistory;

// The thread's checkpoints as lanes of branches under one ruler. Selecting a checkpoint only shows it:
// nothing runs.
class TimelinePanel : public QWidget {
    Q_OBJECT
public:
    explicit TimelinePanel(const PanelParts& parts, QWidget* parent = nullptr);
    explicit TimelinePanel(ShownHistory& history, QWidget* parent = nullptr); // shows only what it is given

    void
    addVerb(QAction* action); // what can be done from the selected checkpoint, as a button of the title row
    void step(int by); // previous −1, next +1 on the current branch
    void goToFirst();

    // These stand on the same axis: measurements of the thread's session, its artifacts, the user's
    // bookmarks.
    void setSamples(const std::vector<SampleRow>& samples, double cpuLimit);
    void addSamples(const std::vector<SampleRow>& samples);
    void setArtifacts(const std::vector<ArtifactRow>& rows); // other threads' are left out
    void setLog(const std::vector<LogRow>& rows); // the cells that it tells of
    void addLog(const std::vector<LogRow>& rows);
    void setBookmarks(const QHash<QString, QString>& notes); // checkpoint → note
    [[nodiscard]] const QHash<QString, QString>& bookmarks() const;
    void setFound(const QStringList& checkpoints); // what a search found of the thread
    // Draws the planned branch, dotted, below the lanes while a replay or a fork is previewed; without a
    // checkpoint it goes.
    void setPlanned(const PlannedBranch& planned);
    // Subgraphs: which runs there are inside of the thread's tasks, and those that nestedWanted() asked for.
    void setNamespaces(const QStringList& namespaces);
    void addNamespaces(const QStringList& namespaces); // live; known ones have grown
    void setNested(const std::vector<HistoryRows>& runs);
    [[nodiscard]] bool hasInner() const;
    void addInnerNames(const QHash<QString, QString>& names); // of tasks inside, by their ids
    // jq programs whose values are drawn below the lanes; watchWanted() asks for them, setWatched() answers.
    bool addWatch(const QString& program); // false: it is there, or there are too many
    void removeWatch(const QString& program);
    [[nodiscard]] QStringList watches() const;
    void setWatched(const WatchRows& rows);
    [[nodiscard]] QAction* nestedAction() const; // shows what ran inside of the viewed branch's tasks
    [[nodiscard]] QAction* playAction() const;
    [[nodiscard]] QList<QAction*> axisActions() const; // Step, Clock, Folded
    [[nodiscard]] QList<QAction*> zoomActions() const; // in, out, 100 %, everything
    [[nodiscard]] QAction* foldAction() const; // checked: only the title row, with a small history in it
    [[nodiscard]] int wantedHeight() const; // with which nothing of it has to be scrolled

Q_SIGNALS:
    void wantedHeightChanged();
    void menuRequested(const QString& node, const QPoint& at); // of the selected checkpoint, or a task of it
    void watchWanted(const QString& program, const QStringList& way);
    void nestedWanted(const QStringList& namespaces);
    void checkpointSelected(const QString& checkpoint); // by the user, or by playing

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Impl;
    Impl* m_impl; // a child
};

} // namespace sg::ui
