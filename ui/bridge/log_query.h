#pragma once

#include "core/workbench/audit_reading.h"
#include "ui/bridge/project_query.h"

#include <optional>

namespace sg::ui {

struct ThreadLog {
    std::vector<LogRow> rows; // in order of time
    qint64 audited = 0; // the last row of the audit that was looked at
};

// What a thread's runs printed, what happened to its sandboxes and checkpoints, what they reached of the
// network and what was audited: the newest lines where there are very many.
Answer<ThreadLog> readLog(workbench::Workbench& workbench, const QString& thread);
// What the audit tells of the thread after that row of it. A project without an audit has nothing to tell.
ThreadLog readAudit(workbench::Workbench& workbench, const QString& thread, qint64 after);

// Nothing where other lines tell the same.
std::optional<LogRow> auditRow(const audit::AuditEntry& entry);

// What the engine says in the log, live and of the past alike.
QString startedWords(const QString& run);
QString endedWords(const QString& run, const QString& status);
LogRow checkpointNote(const CheckpointRow& row);

} // namespace sg::ui
