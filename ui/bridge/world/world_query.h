#pragma once

#include "core/workbench/workbench.h"
#include "ui/bridge/rows/world_rows.h"

#include <optional>

namespace sg::ui {

// Blocking, on one of the bridge's worker threads.
WorldView readWorld(workbench::Workbench& workbench, const WorldWanted& wanted);
// The newest checkpoint, up to the given one, at which a file beneath /session changed; empty if no stored
// checkpoint tells. Without `session`, the thread's own or the only one is taken.
QString checkpointThatChanged(workbench::Workbench& workbench, const QString& thread,
                              const QString& checkpoint, const QString& path,
                              const std::optional<QString>& session = {});

} // namespace sg::ui
