#pragma once

#include "core/rewind/sandbox_choice.h"
#include "ui/bridge/open/client.h"
#include "ui/bridge/rows/history_rows.h"

#include <QHash>

#include <optional>
#include <vector>

namespace sg::engine {
struct RunInput;
}

namespace sg::ui {

// Starts, answers and stops the project's runs, and publishes their progress.
class RunsClient : public Client {
    Q_OBJECT
public:
    explicit RunsClient(OpenProject& project);

    void startRun(const QString& thread, const QString& inputJson); // empty input: goes on where it stands
    void step(const QString& thread); // goes on by one superstep
    void pauseRun(const QString& thread); // before its next superstep
    void stopRun(const QString& thread); // one that is paused is told as stopped from then on
    void answerOne(const QString& thread, const QString& interrupt, const QString& answerJson);
    // Maps interrupts to JSON; one run continues with all answers.
    void answerAll(const QString& thread, const QHash<QString, QString>& answers);
    // Runs again from a past checkpoint, as a new branch. `pauseBefore` has nodes, or "*" to run one step; if
    // empty, the graph's breakpoints count. `sandbox` says what becomes of the thread's session.
    void replay(const QString& thread, const QString& checkpoint, const QStringList& pauseBefore = {},
                rewind::SandboxChoice sandbox = rewind::SandboxChoice::Restore);
    // Makes a branch that starts with the checkpoint's state, changed by the JSON object as if `asNode` had
    // written it (empty for the last writer). It runs at once, or later.
    void fork(const QString& thread, const QString& checkpoint, const QString& valuesJson,
              const QString& asNode, bool run, const QStringList& pauseBefore = {},
              rewind::SandboxChoice sandbox = rewind::SandboxChoice::Restore);
    // Makes a branch on which only that node runs again; the other nodes of its superstep keep their writes.
    void rerunNode(const QString& thread, const QString& checkpoint, const QString& node,
                   const QStringList& pauseBefore,
                   rewind::SandboxChoice sandbox = rewind::SandboxChoice::Restore);
    void loadWaiting(); // the open questions of all threads

Q_SIGNALS:
    void runStarted(const QString& thread, const QString& run);
    void runRefused(const QString& thread, const sg::ui::UserError& error);
    void forked(const QString& thread, const QString& checkpoint); // the new branch's first checkpoint
    void runFinished(const QString& thread, sg::RunStatus status, const sg::ui::UserError& error);
    void waitingLoaded(const std::vector<sg::ui::WaitingRow>& rows);
    void waitingFailed(const sg::ui::UserError& error);
    // Live, for every run of this project.
    void tasksChanged(const QString& thread, const std::vector<sg::ui::TaskRow>& changed);
    void checkpointsAdded(const QString& thread, const std::vector<sg::ui::CheckpointRow>& added);
    void innerChanged(const QString& thread, const QStringList& namespaces); // runs of subgraphs went on

private:
    template<typename Start>
    void begin(const QString& thread, Start start);
    void begin(const QString& thread, engine::RunInput input);
    std::optional<Value> parsed(const QString& thread, const QString& json, const QString& refusal);

    Latest m_waiting;
};

} // namespace sg::ui
