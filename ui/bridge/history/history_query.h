#pragma once

#include "core/projects/project_notes.h"
#include "core/workbench/workbench.h"
#include "ui/bridge/rows/answer.h"
#include "ui/bridge/rows/history_rows.h"

// What is asked of core about the past, blocking: run on worker threads. Errors come back as values.
namespace sg::ui {

Answer<std::vector<ThreadRow>> readThreads(workbench::Workbench& workbench);
Answer<HistoryRows> readHistory(workbench::Workbench& workbench, const QString& thread, int limit);
// Of the subgraph that the nodes of `path` lead to, as it ran last until `checkpoint` (empty: the head).
Answer<HistoryRows> readInnerHistory(workbench::Workbench& workbench, const QString& thread,
                                     const QString& checkpoint, const QStringList& path);
Answer<StateView> readState(workbench::Workbench& workbench, const QString& thread, const QString& checkpoint,
                            const QString& base);
Answer<ValueTraceRows> readTrace(workbench::Workbench& workbench, const QString& thread,
                                 const QStringList& way, const QString& pointer, int limit);
Answer<std::vector<WaitingRow>> readWaiting(workbench::Workbench& workbench);
// `checkpoint` empty: the newest.
struct CompareSide {
    QString thread;
    QString checkpoint;
};
Answer<ComparisonRows> readComparison(workbench::Workbench& workbench, const CompareSide& a,
                                      const CompareSide& b);
NoteRows noteRows(const projects::NotesByThread& notes);
QString patchText(const Value& from, const Value& to); // RFC 6902, indented
// The first that cannot be removed ends it.
UserError removeThreads(workbench::Workbench& workbench, projects::ProjectNotes& notes,
                        const QStringList& threads);

} // namespace sg::ui
