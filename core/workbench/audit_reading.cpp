#include "core/workbench/audit_reading.h"

#include <system_error>

namespace sg::workbench {

Result<std::unique_ptr<audit::AuditLog>> openAudit(const ProjectPaths& project, bool mayBeMade)
{
    std::error_code failed;
    if (!std::filesystem::exists(project.audit, failed)) {
        if (!mayBeMade)
            return Error{ Errc::NotFound,
                          "nothing was audited in " + project.folder.string()
                              + " yet: rows come with the first run or session" };
        std::filesystem::create_directories(project.data, failed);
        if (auto made = audit::AuditLog::open(project.audit, audit::AuditLog::Access::Append); !made)
            return std::move(made.error());
    }
    return audit::AuditLog::open(project.audit, audit::AuditLog::Access::Read);
}

} // namespace sg::workbench
