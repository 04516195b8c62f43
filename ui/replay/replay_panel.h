#pragma once

#include "ui/replay/replay_plan.h"
#include "ui/replay/side_effects.h"
#include "ui/replay/staged_patch.h"

#include <QWidget>

#include <functional>

namespace sg::ui {

// What the plan needs to know of the graph.
struct ReplayGraph : Reach {
    PatchRules rules;
};

// The preview of a replay or a fork from one checkpoint. Nothing runs and nothing is written before its
// button is pressed; the branch that is left stays as it is.
class ReplayPanel : public QWidget {
    Q_OBJECT
public:
    enum class Verb { Replay, Fork, Rerun };
    explicit ReplayPanel(QWidget* parent = nullptr);

    void setGraph(const ReplayGraph& graph);
    void setState(const StateView& state); // of the previewed checkpoint; others are ignored

    // `shared`: checkpoints up to that one, where the history is only a part of the thread's.
    void preview(Verb verb, const HistoryRows& history, const QString& checkpoint, const ReplayAim& aim = {},
                 int shared = 0);
    // Of one node alone, from the checkpoint that its superstep began at.
    void previewRerun(const HistoryRows& history, const QString& checkpoint, const QString& node,
                      int shared = 0);
    void close(); // also with changes that are staged
    // `then` at once, or once the user gave up what is staged.
    void mayLeave(const std::function<void()>& then);
    [[nodiscard]] bool hasStaged() const; // changes that nothing was forked with yet
    // The checkpoint that everything else shows: without staged changes the preview closes with its own.
    void setViewed(const QString& checkpoint);
    void setForked(const QString& thread); // what was asked for is done
    void setRefused(const QString& thread, const QString& why); // the changes are still here
    [[nodiscard]] QString checkpoint() const; // that is previewed; empty: none

Q_SIGNALS:
    // `pauseBefore`: nodes, "*" for every one; empty: as the graph says. `sandbox`: see side_effects.h.
    void replayRequested(const QString& thread, const QString& checkpoint, const QStringList& pauseBefore,
                         const QString& sandbox);
    // `values`: a JSON object of the changed channels; `asNode` empty: as the node that wrote last. The
    // preview waits for setForked() or setRefused().
    void forkRequested(const QString& thread, const QString& checkpoint, const QString& values,
                       const QString& asNode, bool run, const QStringList& pauseBefore,
                       const QString& sandbox);
    void rerunRequested(const QString& thread, const QString& checkpoint, const QString& node,
                        const QStringList& pauseBefore, const QString& sandbox);
    // What would run, as far as it is to run; without a checkpoint once the preview is closed.
    void planChanged(const sg::ui::ReplayPlan& plan);
    void closed(); // cancelled, or done

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Impl;
    Impl* m_impl; // a child
};

} // namespace sg::ui
