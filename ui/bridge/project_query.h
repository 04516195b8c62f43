#pragma once

#include "core/projects/edit_journal.h"
#include "core/runs/code_check.h"
#include "core/workbench/workbench.h"
#include "ui/bridge/project_bridge.h"

#include <QString>
#include <QStringList>

#include <memory>
#include <vector>

// What the bridge asks core for, blocking: run on its worker threads. Errors come back as values.
namespace sg::ui {

template<typename T>
struct Answer {
    T value{};
    UserError error; // `what` empty: none
};

Answer<std::unique_ptr<workbench::Workbench>> openWorkbench(const QString& path);
Answer<QString> copySample(); // folder of the user's copy of the penguins example
ProjectInfo readProject(workbench::Workbench& workbench, const runs::CodeFaults& faults = {});
// `open`: the journal that is held already. Null: there is no graph to edit.
std::shared_ptr<projects::EditJournal> openJournal(const workbench::Workbench& workbench,
                                                   std::shared_ptr<projects::EditJournal> open);
void readUnsaved(const projects::EditJournal& journal, ProjectInfo& info);
void readSandbox(workbench::Workbench& workbench, ProjectInfo& info);
Answer<std::vector<ThreadRow>> readThreads(workbench::Workbench& workbench);
Answer<HistoryRows> readHistory(workbench::Workbench& workbench, const QString& thread, int limit);
// Of the subgraph that the nodes of `path` lead to, as it ran last until `checkpoint` (empty: the head).
Answer<HistoryRows> readInnerHistory(workbench::Workbench& workbench, const QString& thread,
                                     const QString& checkpoint, const QStringList& path);
Answer<StateView> readState(workbench::Workbench& workbench, const QString& thread, const QString& checkpoint,
                            const QString& base);

} // namespace sg::ui
