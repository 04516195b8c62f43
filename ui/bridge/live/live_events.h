#pragma once

#include "core/base/subscription.h"
#include "core/engine/run_event.h"
#include "core/sessions/manager/session_manager.h"
#include "core/workbench/workbench.h"
#include "ui/bridge/live/live_pieces.h"
#include "ui/bridge/log/output_lines.h"
#include "ui/bridge/rows/rows.h"

#include <QObject>
#include <QSet>
#include <QTimer>

#include <map>
#include <memory>
#include <vector>

namespace sg::ui {

// Brings core's events to the GUI thread. Any thread fills the queue; a timer empties it at most 20 times a
// second and runs only while events wait.
class LiveEvents : public QObject {
    Q_OBJECT
public:
    LiveEvents();
    ~LiveEvents() override;
    void follow(workbench::Workbench& workbench); // replaces the former one; events that waited are dropped
    void stop();
    // The thread's log was read up to row `audited` of the audit, so these rows are not published again.
    void wasRead(const QString& thread, qint64 audited);
    void catchUp(); // publishes waiting events at once
    [[nodiscard]] bool
    goesOn(const LogRow& begun) const; // the rest of the line will be published, together with its beginning

Q_SIGNALS:
    void runStarted(const QString& thread, const QString& run);
    void tasksChanged(const QString& thread, const std::vector<sg::ui::TaskRow>& changed);
    void checkpointsAdded(const QString& thread, const std::vector<sg::ui::CheckpointRow>& added);
    void logAppended(const QString& thread, const std::vector<sg::ui::LogRow>& rows);
    void artifactsAdded(const QString& thread);
    // Runs inside of subgraphs went on; `namespaces` as in HistoryRows.
    void innerChanged(const QString& thread, const QStringList& namespaces);
    // Pieces of models' answers, sent at once, see LivePieces. The end or the next attempt of their tasks is
    // told later.
    void piecesCame(const std::vector<sg::ui::ChatPiece>& pieces);
    void tasksEnded(const QString& thread, const QStringList& tasks);
    void runFinished(const QString& thread, sg::RunStatus status, const sg::ui::UserError& error);
    void sessionsChanged();
    void samplesAdded(const QString& session, const std::vector<sg::ui::SampleRow>& samples);
    void sessionNoted(const QString& session, const sg::ui::SessionNoteRow& note);

private:
    struct Queue;
    struct Batch;
    void take(Batch& batch, const engine::RunEvent& event);
    void startTask(Batch& batch, const engine::RunEvent& event, const engine::TaskStarted& started);
    void endTask(Batch& batch, const engine::RunEvent& event, const engine::TaskFinished& finished);
    void addCheckpoint(Batch& batch, const engine::RunEvent& event, const engine::CheckpointSaved& saved);
    void endRun(Batch& batch, const engine::RunEvent& event, const engine::RunFinished& end);
    void addOutput(Batch& batch, const engine::RunEvent& event, const engine::LogLine& line);
    void addAudit(Batch& batch, const audit::AuditEntry& entry);
    void addAuditLeft(Batch& batch, const audit::AuditEntry& last, int count);
    void addSession(Batch& batch, const sessions::SessionEvent& event);
    void publish(const Batch& batch);

    std::shared_ptr<Queue> m_queue; // shared with listeners that may still run after the destruction
    QTimer m_timer;
    OutputLines m_output;
    QSet<QString> m_innerTasks; // that run in subgraphs
    LivePieces m_pieces;
    Subscription m_runs;
    std::map<QString, qint64> m_audited; // thread → last row of the audit that was published or read
    Subscription m_sessions;
    Subscription m_audit;
};

} // namespace sg::ui
