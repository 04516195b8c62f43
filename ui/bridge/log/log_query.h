#pragma once

#include "core/audit/audit_log.h"
#include "core/workbench/workbench.h"
#include "ui/bridge/rows/answer.h"

#include <optional>

namespace sg::ui {

struct ThreadLog {
    std::vector<LogRow> rows; // in order of time; the first may say what was cut
    std::vector<LogRow> open = {}; // lines without their ends yet
    qint64 audited = 0; // the last row of the audit that was considered
};

// The newest so many of each are read; if there are more, the first row says so.
struct LogLimits {
    std::int64_t output = 200'000; // pieces
    std::int64_t checkpoints = 20'000;
    std::int64_t audit = 20'000;
    std::int64_t notes = 200; // of one session
};

// Reads a thread's log: the output of its runs and cells, events of its sandboxes and checkpoints, its
// network access, and its audit entries.
Answer<ThreadLog> readLog(workbench::Workbench& workbench, const QString& thread,
                          const LogLimits& limits = {});

// Sorts by time; rows of one time stay in the order in which a run makes them.
void sortLog(std::vector<LogRow>& rows);

// Returns nothing if other lines tell the same.
std::optional<LogRow> auditRow(const audit::AuditEntry& entry);

// These make the rows of the engine in the log, live and of the past alike.
LogRow runBegan(double timeMs, const QString& run);
LogRow runEnded(double timeMs, const QString& run, RunStatus status);
LogRow checkpointNote(const CheckpointRow& row);
// The error of a task that failed and its whole traceback, a row a line; the rows fold into the first.
std::vector<LogRow> failureNotes(const TaskRow& task);

} // namespace sg::ui
