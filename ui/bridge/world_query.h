#pragma once

#include "core/workbench/workbench.h"
#include "ui/bridge/world_rows.h"

namespace sg::ui {

// Blocking, on one of the bridge's threads. An empty checkpoint is the newest.
WorldView readWorld(workbench::Workbench& workbench, const QString& thread, const QString& checkpoint);

} // namespace sg::ui
