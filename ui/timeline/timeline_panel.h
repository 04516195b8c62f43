#pragma once

#include "ui/bridge/rows/history_rows.h"
#include "ui/bridge/rows/rows.h"
#include "ui/timeline/planned_branch.h"

#include <QHash>
#include <QList>
#include <QSet>
#include <QWidget>

#include <limits>
#include <vector>

class QAction;

namespace sg::ui {

// The thread's checkpoints as lanes of branches under one ruler. Selecting a checkpoint only shows it:
// nothing runs.
class TimelinePanel : public QWidget {
    Q_OBJECT
public:
    explicit TimelinePanel(QWidget* parent = nullptr);

    void
    addVerb(QAction* action); // what can be done from the selected checkpoint, as a button of the title row
    void clear(const QString& thread = {}); // whose checkpoints follow, if any
    void setHistory(const HistoryRows& rows); // the newest of them; more of a long one comes in pages
    [[nodiscard]] bool needsWhole() const; // there are more, and nobody reads them yet
    [[nodiscard]] bool isWhole() const; // all of its checkpoints are here
    [[nodiscard]] bool isAwaiting() const; // the checkpoint that is to be shown is being read
    void expectWhole(qint64 total); // of the shown thread, oldest first; shown when it is complete
    void extendHistory(const HistoryRows& page, bool isLast);
    [[nodiscard]] int count() const; // checkpoints that are known
    // What other panels need of a long history at a checkpoint: see historyAround().
    [[nodiscard]] HistoryRows around(const QString& checkpoint) const;
    void addCheckpoints(const std::vector<CheckpointRow>& added); // live; of the shown thread
    void changeTasks(const std::vector<TaskRow>& changed);
    void setCurrent(const QString& checkpoint); // empty: the head
    [[nodiscard]] QString current() const;
    [[nodiscard]] QString head() const; // newest checkpoint, empty: none
    void step(int by); // previous −1, next +1 on the current branch
    void goToFirst();

    // On the same axis: measurements of the thread's session, its artifacts, the user's bookmarks.
    void setSamples(const std::vector<SampleRow>& samples, double cpuLimit);
    void addSamples(const std::vector<SampleRow>& samples);
    void setArtifacts(const std::vector<ArtifactRow>& rows); // other threads' are left out
    void setLog(const std::vector<LogRow>& rows); // the cells that it tells of
    void addLog(const std::vector<LogRow>& rows);
    void setBookmarks(const QHash<QString, QString>& notes); // checkpoint → note
    [[nodiscard]] const QHash<QString, QString>& bookmarks() const;
    void setFound(const QStringList& checkpoints); // what a search found of the thread
    // Dotted below the lanes while a replay or a fork is previewed; without a checkpoint it goes.
    void setPlanned(const PlannedBranch& planned);
    // Subgraphs: which runs there are inside of the thread's tasks, and those that nestedWanted() asked for.
    void setNamespaces(const QStringList& namespaces);
    void addNamespaces(const QStringList& namespaces); // live; known ones have grown
    void setNested(const std::vector<HistoryRows>& runs);
    // jq programs whose values are drawn below the lanes; watchWanted() asks for them, setWatched() answers.
    bool addWatch(const QString& program); // false: it is there, or there are too many
    void removeWatch(const QString& program);
    [[nodiscard]] QStringList watches() const;
    void setWatched(const WatchRows& rows);
    [[nodiscard]] QAction* nestedAction() const; // shows what ran inside of the viewed branch's tasks
    [[nodiscard]] QString label(const QString& checkpoint) const; // "after load → next analyze, step 2"

    // What a moment means here; empty: nothing does.
    [[nodiscard]] QString at(double timeMs) const; // the newest made by then, else the first
    [[nodiscard]] QString after(const QString& start) const; // the newest made from it; itself: nothing was
    [[nodiscard]] QString afterTask(const QString& task) const;
    [[nodiscard]] double firstTime() const; // of those that are known
    [[nodiscard]] double timeOf(const QString& checkpoint) const; // kUnknown: not known
    [[nodiscard]] int stepOf(const QString& checkpoint) const;
    [[nodiscard]] int depthOf(const QString& checkpoint) const; // checkpoints on its way, with itself
    [[nodiscard]] CheckpointRow row(const QString& checkpoint) const; // an empty one: not known
    [[nodiscard]] QSet<QString> passedBefore(const QString& checkpoint, const QSet<QString>& asked) const;

    // From it back to the first, at most so many.
    [[nodiscard]] QStringList wayTo(const QString& checkpoint,
                                    int most = std::numeric_limits<int>::max()) const;

    // The newest of them with that number; empty: none.
    [[nodiscard]] QString atStep(const QString& checkpoint, int step) const;

    struct Branch {
        QString name; // "main", "branch 2"
        QString end; // its newest checkpoint
    };
    [[nodiscard]] std::vector<Branch> branches() const;
    [[nodiscard]] int currentBranch() const; // −1: no checkpoint

    [[nodiscard]] QAction* playAction() const;
    [[nodiscard]] QList<QAction*> axisActions() const; // Step, Clock, Folded
    [[nodiscard]] QList<QAction*> zoomActions() const; // in, out, 100 %, everything

Q_SIGNALS:
    void historyShown(); // more of it than before, which may have what was waited for
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
