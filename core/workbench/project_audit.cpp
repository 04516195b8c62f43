#include "core/workbench/project_audit.h"

#include "core/base/log.h"

#include <utility>

namespace sg::workbench {
namespace {

const char* outcomeOf(sessions::SessionEvent::Kind kind)
{
    using Kind = sessions::SessionEvent::Kind;
    switch (kind) {
    case Kind::Started: return "started";
    case Kind::Ended: return "ended";
    case Kind::Restarted: return "restarted";
    case Kind::Paused: return "paused";
    case Kind::Unpaused: return "unpaused";
    case Kind::LimitsChanged: return "limits changed";
    case Kind::Waiting: return "waiting";
    case Kind::Sample: break;
    }
    return "";
}

Value detailsOf(const sessions::SessionEvent& event)
{
    const sessions::SessionInfo& info = event.info;
    Value details = Value::map({ { "backend", info.backend }, { "isolation", info.isolation } });
    if (!info.part.empty())
        details.editMap().set("part", info.part);
    if (!event.text.empty())
        details.editMap().set("text", event.text);
    if (event.kind != sessions::SessionEvent::Kind::Started)
        return details;
    details.editMap().set("sandbox", info.sandboxName);
    details.editMap().set("storage", info.storage);
    details.editMap().set("datasets", info.datasets);
    details.editMap().set("memory_bytes", info.limits.memoryBytes);
    details.editMap().set("limits_enforced", info.limitsEnforced);
    ValueList hosts;
    for (const std::string& host : info.egress)
        hosts.emplace_back(host);
    details.editMap().set("egress", std::move(hosts));
    return details;
}

} // namespace

void ProjectAudit::setTenant(const std::string& tenant)
{
    const std::lock_guard lock(m_mutex);
    m_tenant = tenant;
}

// With the mutex.
Result<audit::AuditEntry> ProjectAudit::append(audit::AuditEntry entry)
{
    if (!m_log) {
        auto log = audit::AuditLog::open(m_file, audit::AuditLog::Access::Append);
        if (!log)
            return std::move(log.error());
        m_log = std::move(*log);
    }
    entry.tenant = m_tenant;
    return m_log->append(std::move(entry));
}

void ProjectAudit::add(audit::AuditEntry entry)
{
    const std::lock_guard lock(m_mutex);
    const auto added = append(std::move(entry));
    if (added)
        m_rows.publish(*added); // with the mutex: in order
    if (!added && !std::exchange(m_hasWarned, true))
        logMessage(LogLevel::Warning, "what sessions do is not audited: " + added.error().message);
}

void ProjectAudit::addSession(const sessions::SessionEvent& event)
{
    if (event.kind == sessions::SessionEvent::Kind::Sample
        || event.kind == sessions::SessionEvent::Kind::Waiting)
        return;
    audit::AuditEntry entry;
    entry.kind = "session";
    entry.thread = event.info.thread;
    entry.session = event.info.id;
    entry.subject = event.info.id.value;
    entry.outcome = outcomeOf(event.kind);
    entry.details = detailsOf(event);
    add(std::move(entry));
}

} // namespace sg::workbench
