#pragma once

#include "core/audit/audit_log.h"
#include "core/base/subscription.h"
#include "core/sessions/session_manager.h"

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>

namespace sg::workbench {

// What a project's audit log is told by this process. A row that cannot be written is a warning, once: work
// goes on. Any thread.
class ProjectAudit {
public:
    explicit ProjectAudit(std::filesystem::path file)
        : m_file(std::move(file))
    {
    }
    void add(audit::AuditEntry entry);
    // Starts, ends and changes of sessions; samples are none of it.
    void addSession(const sessions::SessionEvent& event);
    // Each row once it is written, in order, on the thread that added it.
    Publisher<audit::AuditEntry>& rows() { return m_rows; }
    void setTenant(const std::string& tenant); // of rows from now on

private:
    Result<audit::AuditEntry> append(audit::AuditEntry entry);

    const std::filesystem::path m_file;
    Publisher<audit::AuditEntry> m_rows; // has its own lock
    std::mutex m_mutex;
    // Guarded by m_mutex:
    std::unique_ptr<audit::AuditLog> m_log; // null until there is a first row
    std::string m_tenant;
    bool m_hasWarned = false;
};

} // namespace sg::workbench
