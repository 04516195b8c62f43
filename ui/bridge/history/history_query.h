#pragma once

#include "core/projects/project_notes.h"
#include "core/workbench/workbench.h"
#include "ui/bridge/rows/answer.h"
#include "ui/bridge/rows/history_rows.h"

// Blocking questions about the past; they run on worker threads and return errors as values.
namespace sg::ui {

Answer<std::vector<ThreadRow>> readThreads(workbench::Workbench& workbench);
Answer<HistoryRows> readHistory(workbench::Workbench& workbench, const QString& thread, int limit);
// The history of a subgraph, which the nodes in `path` lead to, in its last run up to `checkpoint` (empty for
// the head).
Answer<HistoryRows> readInnerHistory(workbench::Workbench& workbench, const QString& thread,
                                     const QString& checkpoint, const QStringList& path);
Answer<StateView> readState(workbench::Workbench& workbench, const QString& thread, const QString& checkpoint,
                            const QString& base);
Answer<ValueTraceRows> readTrace(workbench::Workbench& workbench, const QString& thread,
                                 const QStringList& way, const QString& pointer, int limit);
Answer<std::vector<WaitingRow>> readWaiting(workbench::Workbench& workbench);
// An empty checkpoint means the newest.
struct CompareSide {
    QString thread;
    QString checkpoint;
};
Answer<ComparisonRows> readComparison(workbench::Workbench& workbench, const CompareSide& a,
                                      const CompareSide& b);
NoteRows noteRows(const projects::NotesByThread& notes);
QString patchText(const Value& from, const Value& to); // RFC 6902, indented
// Stops at the first thread that cannot be removed.
UserError removeThreads(workbench::Workbench& workbench, projects::ProjectNotes& notes,
                        const QStringList& threads);

} // namespace sg::ui
