#pragma once

#include "ui/bridge/open/client.h"
#include "ui/bridge/rows/history_rows.h"
#include "ui/bridge/rows/input_rows.h"

#include <optional>
#include <vector>

namespace sg::ui {

class HistoryReader;
class SessionsClient;

// What the checkpoint database tells of threads: their checkpoints, tasks, states and log; and what people
// have noted beside them. The log goes on with what runs and cells of this window print.
class HistoryClient : public Client {
    Q_OBJECT
public:
    HistoryClient(OpenProject& project, SessionsClient& sessions);

    void refreshThreads();
    void loadOverview(); // of all threads
    void loadHistory(const QString& thread); // the newest checkpoints
    void loadWholeHistory(const QString& thread); // all of them, in pages
    void loadNested(const QString& thread, const QStringList& namespaces); // of subgraphs' runs
    void loadNamespaces(const QString& thread);
    void loadInnerHistory(const QString& thread, const QString& checkpoint,
                          const QStringList& path); // of a subgraph; the newest request wins
    // Empty: the newest. `base`: what it is compared with; empty: its parent.
    void loadState(const QString& thread, const QString& checkpoint, const QString& base = {});
    // Where the part of the state that a JSON pointer names came from; `way`: checkpoints from the one that
    // is looked at back to the first. The newest request wins.
    void traceValue(const QString& thread, const QStringList& way, const QString& pointer, int limit);
    void makePatch(const Value& from, const Value& to); // RFC 6902
    // Two branches or threads, each up to a checkpoint (empty: the newest). The newest request wins.
    void compare(const QString& threadA, const QString& checkpointA, const QString& threadB,
                 const QString& checkpointB);
    void loadLog(const QString& thread);
    void loadInputs(const QString& thread); // what its runs were given last; the newest request wins
    void loadNotes(); // labels and bookmarks
    void setLabel(const QString& thread, const QString& label); // empty: its id is shown
    void setBookmark(const QString& thread, const QString& checkpoint, const std::optional<QString>& note);

Q_SIGNALS:
    void threadsLoaded(const std::vector<sg::ui::ThreadRow>& rows);
    void threadsFailed(const sg::ui::UserError& error);
    void overviewLoaded(const std::vector<sg::ui::OverviewRow>& rows);
    void overviewFailed(const sg::ui::UserError& error);
    void historyLoaded(const sg::ui::HistoryRows& rows); // the newest
    void historyFailed(const QString& thread, const sg::ui::UserError& error);
    void historyExtended(const sg::ui::HistoryRows& page, bool isLast); // oldest first, page by page
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
    void notesLoaded(const sg::ui::NoteRows& notes);

private:
    void readOn(const std::shared_ptr<HistoryReader>& reader);
    void tellLog(const QString& thread, const std::vector<LogRow>& rows);
    template<typename Change>
    void changeNotes(Change change);

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
        std::vector<LogRow> live; // that came meanwhile
    };
    std::optional<LogReading> m_logReading; // the newest one, while it is under way
};

} // namespace sg::ui
