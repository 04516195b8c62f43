#pragma once

#include "core/projects/edit_journal.h"
#include "core/runs/code_check.h"
#include "core/workbench/workbench.h"
#include "ui/bridge/rows/answer.h"
#include "ui/bridge/rows/project_info.h"

#include <QString>

#include <memory>

// Opening a project, blocking: run on worker threads. Errors come back as values.
namespace sg::ui {

Answer<std::unique_ptr<workbench::Workbench>> openWorkbench(const QString& path);
Answer<QString> copySample(); // folder of the user's copy of the penguins example
ProjectInfo readProject(workbench::Workbench& workbench, const runs::CodeFaults& faults = {});
// `open`: the journal that is held already. Null: there is no graph to edit.
std::shared_ptr<projects::EditJournal> openJournal(const workbench::Workbench& workbench,
                                                   std::shared_ptr<projects::EditJournal> open);
void readUnsaved(const projects::EditJournal& journal, ProjectInfo& info);
void readSandbox(workbench::Workbench& workbench, ProjectInfo& info);

} // namespace sg::ui
