#pragma once

#include "ui/bridge/open/client.h"
#include "ui/bridge/rows/history_rows.h"
#include "ui/bridge/rows/input_rows.h"

#include <optional>
#include <vector>

namespace sg::ui {

class HistoryReader;
class SessionsClient;

// The contents of the checkpoint database: checkpoints, tasks, states and log of each thread. The log
// continues with the output of this window's runs and cells.
class HistoryClient : public Client {
    Q_OBJECT
public:
    HistoryClient(OpenProject& project, SessionsClient& sessions);

    void refreshThreads();
    void loadOverview(); // for all threads
    void loadHistory(const QString& thread); // the newest checkpoints
    void loadWholeHistory(const QString& thread); // all of them, in pages
    void loadNested(const QString& thread, const QStringList& namespaces); // runs of subgraphs
    void loadNamespaces(const QString& thread);
    void loadInnerHistories(const QString& thread, const QString& checkpoint,
                            const QList<QStringList>& paths); // of subgraphs; newest request wins
    // An empty checkpoint means the newest. `base` is the checkpoint to compare with, its parent if empty.
    void loadState(const QString& thread, const QString& checkpoint, const QString& base = {});
    // Asks where a part of the state, named by a JSON pointer, came from. `way` has the checkpoints from the
    // viewed one back to the first. The newest request wins.
    void traceValue(const QString& thread, const QStringList& way, const QString& pointer, int limit);
    void makePatch(const Value& from, const Value& to); // RFC 6902
    // Compares two branches or threads, each up to a checkpoint (empty for the newest). The newest request
    // wins.
    void compare(const QString& threadA, const QString& checkpointA, const QString& threadB,
                 const QString& checkpointB);
    void loadLog(const QString& thread);
    void loadInputs(const QString& thread); // what its runs were given last; the newest request wins

Q_SIGNALS:
    void threadsLoaded(const std::vector<sg::ui::ThreadRow>& rows);
    void threadsFailed(const sg::ui::UserError& error);
    void overviewLoaded(const std::vector<sg::ui::OverviewRow>& rows);
    void overviewFailed(const sg::ui::UserError& error);
    void historyLoaded(const sg::ui::HistoryRows& rows); // the newest checkpoints
    void historyFailed(const QString& thread, const sg::ui::UserError& error);
    void historyExtended(const sg::ui::HistoryRows& page, bool isLast); // pages, oldest first
    void nestedLoaded(const std::vector<sg::ui::HistoryRows>& runs);
    void namespacesLoaded(const QString& thread, const QStringList& namespaces);
    void innerHistoryLoaded(const sg::ui::HistoryRows& rows, const QStringList& path);
    void stateLoaded(const sg::ui::StateView& state);
    void stateFailed(const QString& thread, const sg::ui::UserError& error);
    void valueTraced(const sg::ui::ValueTraceRows& trace);
    void patchMade(const QString& json);
    void compared(const sg::ui::ComparisonRows& rows, const sg::ui::UserError& error);
    void logLoaded(const QString& thread, const std::vector<sg::ui::LogRow>& rows);
    void logFailed(const QString& thread, const sg::ui::UserError& error);
    void logAppended(const QString& thread, const std::vector<sg::ui::LogRow>& rows);
    void inputsLoaded(const QString& thread, const std::vector<sg::ui::LastInputRow>& inputs);

private:
    void readOn(const std::shared_ptr<HistoryReader>& reader);
    void tellLog(const QString& thread, const std::vector<LogRow>& rows);

    SessionsClient& m_sessions;
    Latest m_history;
    Latest m_whole;
    Latest m_inner;
    Latest m_state;
    Latest m_trace;
    Latest m_comparison;
    Latest m_inputs;
    Latest m_log;
    struct LogReading {
        QString thread;
        std::vector<LogRow> live; // lines that came meanwhile
    };
    std::optional<LogReading> m_logReading; // the newest request, until it is answered
};

} // namespace sg::ui
