#pragma once

#include "core/projects/edit_journal.h"
#include "core/runs/code_check.h"
#include "core/workbench/workbench.h"
#include "ui/bridge/rows/answer.h"
#include "ui/bridge/rows/project_info.h"
#include "ui/bridge/rows/project_rows.h"

#include <QString>

#include <memory>

// Blocking functions that open a project; they run on worker threads and return errors as values.
namespace sg::ui {

Answer<std::unique_ptr<workbench::Workbench>> openWorkbench(const QString& path,
                                                            const QString& database = {});
QString onlyReadableFolder(const QString& path); // of a project that cannot be written to; empty: it is none
Answer<QString> copySample(const QString& example); // folder of the user's copy
// All but `sandbox`, for which a container engine must answer.
ProjectInfo readProject(workbench::Workbench& workbench, const runs::CodeFaults& faults = {});
ModeInfo readMode(const workbench::Workbench& workbench, const graph::Graph& graph);
// Asks about the sandbox for runs of that graph. It takes as long as the engine does.
SandboxInfo askSandbox(workbench::Workbench& workbench, const graph::Graph& graph);
RuntimeRow readRuntime(); // whether the Python of local sandboxes has its packages
// `open`: the journal that is held already. Null: there is no graph to edit.
std::shared_ptr<projects::EditJournal> openJournal(const workbench::Workbench& workbench,
                                                   std::shared_ptr<projects::EditJournal> open);
void readUnsaved(const projects::EditJournal& journal, ProjectInfo& info);

} // namespace sg::ui
