#pragma once

#include "core/layers/requirement_layers.h"

namespace sg::workbench {

class ProjectAudit;

// A graph says which wheels are fetched, by this machine: none that lies on it, or in its own networks.
// Errc::PermissionDenied names the one that does. What a name leads to may change afterwards, and an allowed
// host may send pip elsewhere: this is a lock on the door, not on the whole house.
Result<void> mayFetch(const layers::Installation& installation);

// Refuses what mayFetch() does, and audits each installation before it begins and after it has ended. A row
// that cannot be written stops it. `audit` may be null.
layers::InstallWatch installWatch(ProjectAudit* audit);

} // namespace sg::workbench
