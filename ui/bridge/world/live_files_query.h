#pragma once

#include "core/workbench/workbench.h"
#include "ui/bridge/rows/world_rows.h"

namespace sg::ui {

// Compares the files of a thread's session (empty for its own) with the newest checkpoint. The session's
// runner answers, even while a cell runs; neither the session nor its lifetime changes. Blocking.
LiveFiles readLiveFiles(workbench::Workbench& workbench, const QString& thread, const QString& session = {});

} // namespace sg::ui
