#pragma once

#include "core/projects/project_notes.h"
#include "ui/bridge/history_rows.h"
#include "ui/bridge/project_query.h"

// What the bridge asks core about the past, blocking; see project_query.h.
namespace sg::ui {

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
