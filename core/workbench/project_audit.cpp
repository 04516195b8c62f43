#include "core/workbench/project_audit.h"

#include "core/base/clock.h"
#include "core/base/log.h"

#include <chrono>
#include <utility>

namespace sg::workbench {
namespace {

constexpr std::size_t kMostWaiting = 1000;

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

ProjectAudit::ProjectAudit(std::filesystem::path file)
    : m_file(std::move(file))
    , m_writer([this](const std::stop_token& stop) { work(stop); })
{
}

ProjectAudit::~ProjectAudit()
{
    m_writer.request_stop();
    m_writer.join();
}

void ProjectAudit::setTenant(const std::string& tenant)
{
    const std::lock_guard lock(m_waitingMutex);
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
    return m_log->append(std::move(entry));
}

// With the mutex.
Result<void> ProjectAudit::write(audit::AuditEntry entry)
{
    const auto added = append(std::move(entry));
    if (added) {
        m_rows.publish(*added); // with the mutex: in order
        return {};
    }
    if (!std::exchange(m_hasWarned, true))
        logMessage(LogLevel::Warning, "what sessions do is not audited: " + added.error().message);
    return added.error();
}

// With the mutex: what is added afterwards is written afterwards, whoever writes it.
void ProjectAudit::writeWaiting()
{
    std::vector<audit::AuditEntry> waiting;
    {
        const std::lock_guard lock(m_waitingMutex);
        waiting.swap(m_waiting);
    }
    for (audit::AuditEntry& entry : waiting)
        static_cast<void>(write(std::move(entry)));
}

Result<void> ProjectAudit::add(audit::AuditEntry entry)
{
    const std::lock_guard lock(m_mutex);
    writeWaiting();
    {
        const std::lock_guard waiting(m_waitingMutex);
        entry.tenant = m_tenant;
    }
    return write(std::move(entry));
}

void ProjectAudit::addSoon(audit::AuditEntry entry)
{
    entry.time = isoTime(std::chrono::system_clock::now());
    bool areTooMany = false;
    {
        const std::lock_guard lock(m_waitingMutex);
        entry.tenant = m_tenant;
        m_waiting.push_back(std::move(entry));
        areTooMany = m_waiting.size() > kMostWaiting;
    }
    m_hasCome.notify_one();
    if (!areTooMany)
        return;
    const std::lock_guard lock(m_mutex);
    writeWaiting();
}

void ProjectAudit::work(const std::stop_token& stop)
{
    while (true) {
        {
            std::unique_lock lock(m_waitingMutex);
            if (!m_hasCome.wait(lock, stop, [this] { return !m_waiting.empty(); }))
                return; // it ends, and nothing waits
        }
        const std::lock_guard lock(m_mutex);
        writeWaiting();
    }
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
    static_cast<void>(add(std::move(entry)));
}

} // namespace sg::workbench
