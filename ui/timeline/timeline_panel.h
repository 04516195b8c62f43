#pragma once

#include "ui/bridge/rows.h"

#include <QHash>
#include <QList>
#include <QWidget>

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
    void setHistory(const HistoryRows& rows);
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
    void setArtifacts(const std::vector<ArtifactRow>& rows);
    void setBookmarks(const QHash<QString, QString>& notes); // checkpoint → note
    [[nodiscard]] QString label(const QString& checkpoint) const; // "after load → next analyze, step 2"

    [[nodiscard]] QStringList wayTo(const QString& checkpoint) const; // from it back to the first

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
    void checkpointSelected(const QString& checkpoint); // by the user, or by playing

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Impl;
    Impl* m_impl; // a child
};

} // namespace sg::ui
