#include "core/sessions/live/session_entry.h"

#include <utility>

namespace sg::sessions {
namespace {

Word<audit::Outcome> outcomeOf(SessionEvent::Kind kind)
{
    if (kind == SessionEvent::Kind::LimitsChanged)
        return audit::Outcome::LimitsChanged;
    return nameAmong(kind);
}

Value detailsOf(const SessionEvent& event)
{
    const SessionInfo& info = event.info;
    Value details = Value::map({ { "backend", info.backend }, { "isolation", info.isolation } });
    if (!info.part.isThreads())
        details.editMap().set("part", info.part.text());
    if (!event.text.empty())
        details.editMap().set("text", event.text);
    if (event.kind != SessionEvent::Kind::Started)
        return details;
    details.editMap().set("sandbox", info.sandboxName);
    details.editMap().set("storage", info.storage.text());
    details.editMap().set("datasets", info.datasets.text());
    details.editMap().set("memory_bytes", info.limits.memoryBytes);
    details.editMap().set("limits_enforced", info.limitsEnforced);
    ValueList hosts;
    for (const std::string& host : info.egress)
        hosts.emplace_back(host);
    details.editMap().set("egress", std::move(hosts));
    return details;
}

} // namespace

std::optional<audit::AuditEntry> auditEntryOf(const SessionEvent& event)
{
    if (event.kind == SessionEvent::Kind::Sample || event.kind == SessionEvent::Kind::Waiting)
        return {};
    audit::AuditEntry entry;
    entry.kind = audit::Kind::Session;
    entry.thread = event.info.thread;
    entry.session = event.info.id;
    entry.subject = event.info.id.value;
    entry.outcome = outcomeOf(event.kind);
    entry.details = detailsOf(event);
    return entry;
}

} // namespace sg::sessions
