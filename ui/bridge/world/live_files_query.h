#pragma once

#include "core/workbench/workbench.h"
#include "ui/bridge/rows/world_rows.h"

namespace sg::ui {

// What lies in the folder of a session of the thread now (empty: its own), against what was kept at the
// newest checkpoint. Asks the session's runner, also while a cell runs; changes nothing in it, not even how
// long it lives. Blocking.
LiveFiles readLiveFiles(workbench::Workbench& workbench, const QString& thread, const QString& session = {});

} // namespace sg::ui
