#pragma once

#include "ui/bridge/open/client.h"
#include "ui/bridge/rows/history_rows.h"

#include <QHash>

#include <optional>
#include <vector>

namespace sg::engine {
struct RunInput;
}

namespace sg::ui {

// Runs of this project: started, answered, stopped, and what they tell while they go on.
class RunsClient : public Client {
    Q_OBJECT
public:
    explicit RunsClient(OpenProject& project);

    void startRun(const QString& thread, const QString& inputJson); // empty input: goes on where it stands
    void step(const QString& thread); // goes on by one superstep
    void pauseRun(const QString& thread); // before its next superstep
    void stopRun(const QString& thread); // one that is paused is told as stopped from then on
    void answerOne(const QString& thread, const QString& interrupt, const QString& answerJson);
    // Interrupt → JSON: one run goes on with all of them.
    void answerAll(const QString& thread, const QHash<QString, QString>& answers);
    // Runs again from a checkpoint of the past, as a branch of its own. `pauseBefore`: nodes, "*" for every
    // one: it runs one step; empty: as the graph says. `sandbox`: what is done with the thread's: "" it goes
    // back to the checkpoint, "exact", "stored", "fresh", "keep".
    void replay(const QString& thread, const QString& checkpoint, const QStringList& pauseBefore = {},
                const QString& sandbox = {});
    // A branch that starts as that checkpoint is, with the values of the JSON object written as `asNode`
    // (empty: as the node that wrote last); run on at once or left for later.
    void fork(const QString& thread, const QString& checkpoint, const QString& valuesJson,
              const QString& asNode, bool run, const QStringList& pauseBefore = {},
              const QString& sandbox = {});
    // A branch on which that node alone runs again from there: what the others of its superstep wrote counts.
    void rerunNode(const QString& thread, const QString& checkpoint, const QString& node,
                   const QStringList& pauseBefore, const QString& sandbox = {});
    void loadWaiting(); // the questions of all threads

Q_SIGNALS:
    void runStarted(const QString& thread, const QString& run);
    void runRefused(const QString& thread, const sg::ui::UserError& error);
    void forked(const QString& thread, const QString& checkpoint); // the new branch's first
    void runFinished(const QString& thread, const QString& status, const sg::ui::UserError& error);
    void waitingLoaded(const std::vector<sg::ui::WaitingRow>& rows);
    void waitingFailed(const sg::ui::UserError& error);
    // Live, of every run of this project.
    void tasksChanged(const QString& thread, const std::vector<sg::ui::TaskRow>& changed);
    void checkpointsAdded(const QString& thread, const std::vector<sg::ui::CheckpointRow>& added);
    void innerChanged(const QString& thread, const QStringList& namespaces); // what ran inside of subgraphs

private:
    template<typename Start>
    void begin(const QString& thread, Start start);
    void begin(const QString& thread, engine::RunInput input);
    std::optional<Value> parsed(const QString& thread, const QString& json, const QString& refusal);

    Latest m_waiting;
};

} // namespace sg::ui
