#pragma once

#include "core/workbench/workbench.h"
#include "ui/bridge/rows/world_rows.h"

#include <optional>

namespace sg::ui {

// Blocking, on one of the bridge's threads.
WorldView readWorld(workbench::Workbench& workbench, const WorldWanted& wanted);
// The newest checkpoint, that one or one before it, at which a file beneath /session was not as it had been
// before; empty: none that is kept tells. Without a session: the thread's own, or the only one.
QString checkpointThatChanged(workbench::Workbench& workbench, const QString& thread,
                              const QString& checkpoint, const QString& path,
                              const std::optional<QString>& session = {});

} // namespace sg::ui
