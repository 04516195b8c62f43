#pragma once

#include "ui/bridge/project_query.h"

namespace sg::ui {

// What a thread's runs printed and what happened to its sandboxes and checkpoints, in order of time: the
// newest lines where there are very many.
Answer<std::vector<LogRow>> readLog(workbench::Workbench& workbench, const QString& thread);

// What the engine says in the log, live and of the past alike.
QString startedWords(const QString& run);
QString endedWords(const QString& run, const QString& status);
LogRow checkpointNote(const CheckpointRow& row);

} // namespace sg::ui
