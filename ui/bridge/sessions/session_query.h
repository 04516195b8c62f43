#pragma once

#include "core/workbench/workbench.h"
#include "ui/bridge/rows/answer.h"
#include "ui/bridge/rows/session_rows.h"

#include <functional>
#include <stop_token>

// Blocking questions about sessions; they run on the bridge's worker threads.
namespace sg::ui {

std::vector<SessionRow> readSessions(workbench::Workbench& workbench); // the living first, then the newest
Answer<SessionPast> readSessionPast(workbench::Workbench& workbench, const QString& session);
ProcessList readProcesses(workbench::Workbench& workbench, const QString& session);
CodeCompletion complete(workbench::Workbench& workbench, const QString& thread, const QString& code,
                        int cursor);
// `print` gets lines as they come, on the calling thread.
CellEnd executeCell(workbench::Workbench& workbench, const QString& thread, const QString& code,
                    const std::function<void(std::vector<LogRow>)>& print, const std::stop_token& stop);
UserError restart(workbench::Workbench& workbench, const QString& session);
// The session with that id, if this program owns it; else null.
std::shared_ptr<sessions::Session> sessionOf(workbench::Workbench& workbench, const QString& session);

} // namespace sg::ui
