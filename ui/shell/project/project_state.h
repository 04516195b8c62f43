#pragma once

#include "ui/bridge/rows/project_info.h"
#include "ui/bridge/rows/rows.h"
#include "ui/shell/parts/window_part.h"

namespace sg::ui {

class Outline;
class PastVerbs;
class ProblemsPanel;
class RuntimePart;
class Saving;
class StartPart;

// Shows what is wrong with the open project's graph and its sandbox, and so whether it can run.
class ProjectState : public WindowPart {
    Q_OBJECT
public:
    struct Others {
        Saving& saving;
        PastVerbs& past;
        StartPart& start;
        RuntimePart& runtime;
    };
    ProjectState(const WindowParts& parts, const Others& others);

    void show(const ProjectInfo& info);
    void setFailure(const TaskRow* failed); // of the shown thread; null: none
    void walk(int by); // to the next problem, or where there is none to what failed
    [[nodiscard]] QList<QAction*> actions() const; // of the problems

Q_SIGNALS:
    void codeRequested(const QString& file, int line); // where a problem stands

private:
    void takeCheck(const GraphCheck& check);
    void showMode();
    void takeFile(const ProjectInfo& info); // it was changed on disk
    void showProblems();
    void tellFile(const ProjectInfo& info); // what keeps it from running
    void takeSandbox(const SandboxInfo& found);
    void tellSandbox(const SandboxInfo& found); // what it lacks
    [[nodiscard]] QString whyNotRun(int errors) const; // empty: it can

    CanvasPanel* const m_graph;
    ProblemsPanel* const m_problems;
    Outline* const m_outline;
    const Others m_others;
    ProjectInfo m_info;
    bool m_hasFailure = false;
};

} // namespace sg::ui
