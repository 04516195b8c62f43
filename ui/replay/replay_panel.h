#pragma once

#include "ui/replay/replay_plan.h"
#include "ui/replay/side_effects.h"
#include "ui/replay/staged_patch.h"

#include <QWidget>

#include <functional>

class QLabel;
class QPushButton;

namespace sg::ui {

class PatchTable;
struct PanelParts;
class PlannedTasks;
class ReplayFeed;
class ReplayFoot;
class ReplaySection;
class ReplayTitle;
class ReplayVerbs;
class SandboxSection;

// The facts about the graph that the preview needs.
struct ReplayGraph : Reach {
    PatchRules rules;
};

// Preview of a replay or a fork from one checkpoint. Nothing runs and nothing is written before its button is
// pressed; the old branch stays unchanged.
class ReplayPanel : public QWidget {
    Q_OBJECT
public:
    using Verb = ReplayVerb;
    explicit ReplayPanel(const PanelParts& parts, QWidget* parent = nullptr);
    explicit ReplayPanel(QWidget* parent = nullptr); // shows what it is given

    [[nodiscard]] const ReplayVerbs& verbs() const; // that open it; only of one with parts
    void replayFrom(const QString& checkpoint); // goes there, and previews it; the same
    void setGraph(const ReplayGraph& graph);
    void setState(const StateView& state); // ignored if it is of another checkpoint

    // `shared` is the number of checkpoints up to that one, if the history is only a part of the thread's.
    void preview(Verb verb, const HistoryRows& history, const QString& checkpoint, const ReplayAim& aim = {},
                 int shared = 0);
    // Previews one node alone, from the checkpoint where its superstep began.
    void previewRerun(const HistoryRows& history, const QString& checkpoint, const QString& node,
                      int shared = 0);
    void close(); // drops staged changes, too
    // Calls `then` at once, or after the user agreed to drop the staged changes.
    void mayLeave(const std::function<void()>& then);
    [[nodiscard]] bool hasStaged() const; // changes that are not written by a fork yet
    // The checkpoint that the other panels show: if it changes, a preview without staged changes closes.
    void setViewed(const QString& checkpoint);
    void setForked(const QString& thread); // the requested fork is done
    void setRefused(const QString& thread, const QString& why); // the changes are kept
    [[nodiscard]] QString checkpoint() const; // the previewed one; empty if none

Q_SIGNALS:
    // `pauseBefore` has nodes, "*" for all, or none for the graph's breakpoints.
    void replayRequested(const QString& thread, const QString& checkpoint, const QStringList& pauseBefore,
                         sg::rewind::SandboxChoice sandbox);
    // `values` is a JSON object of the changed channels. An empty `asNode` means the last writer. The preview
    // waits for setForked() or setRefused().
    void forkRequested(const QString& thread, const QString& checkpoint, const QString& values,
                       const QString& asNode, bool run, const QStringList& pauseBefore,
                       sg::rewind::SandboxChoice sandbox);
    void rerunRequested(const QString& thread, const QString& checkpoint, const QString& node,
                        const QStringList& pauseBefore, sg::rewind::SandboxChoice sandbox);
    // The tasks that would run, up to the chosen end; without a checkpoint once the preview is closed.
    void planChanged(const sg::ui::ReplayPlan& plan);
    void opened(); // it is about to show a preview
    void closed(); // cancelled or done

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void createPatch();
    void begin(); // without staged changes
    void showPlan(const ReplayPlan& plan, const ReplayAim& aim, int shared);
    void showPlanned(); // up to the chosen end
    void patchChanged();
    [[nodiscard]] int changes() const; // number of staged changes
    void go(bool run);
    void finish();
    void leave(); // by Cancel or Escape

    ReplayGraph m_graph;
    ReplayPlan m_plan;
    Verb m_verb = Verb::Replay;
    QString m_again; // the node of Verb::Rerun
    bool m_hasState = false; // the patch holds the checkpoint's values
    bool m_isForking = false; // waits for the answer
    bool m_isViewed = true; // the other panels show the previewed checkpoint
    QString m_refusal; // why the last fork was refused

    ReplayFeed* m_feed = nullptr; // a child; null: the panel shows what it is given
    StagedPatch* m_patch;
    ReplayTitle* m_title;
    ReplaySection* m_patchSection;
    PatchTable* m_table;
    QLabel* m_hint; // shown until a change is staged
    QPushButton* m_revert;
    ReplaySection* m_taskSection;
    PlannedTasks* m_tasks;
    QLabel* m_facts;
    SandboxSection* m_sandbox;
    ReplayFoot* m_foot;
};

} // namespace sg::ui
