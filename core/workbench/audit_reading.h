#pragma once

#include "core/audit/audit_log.h"
#include "core/workbench/project.h"

#include <memory>

namespace sg::workbench {

// A project's audit log for reading. Errc::NotFound where nothing was audited yet; with `mayBeMade` there is
// an empty one then, to be followed.
Result<std::unique_ptr<audit::AuditLog>> openAudit(const ProjectPaths& project, bool mayBeMade);

} // namespace sg::workbench
