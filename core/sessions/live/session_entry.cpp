#include "core/sessions/live/session_entry.h"

#include <utility>

namespace sg::sessions {
namespace {

const char* outcomeOf(SessionEvent::Kind kind)
{
    using Kind = SessionEvent::Kind;
    switch (kind) {
    case Kind::Started: return "started";
    case Kind::Ended: return "ended";
    case Kind::Restarted: return "restarted";
    case Kind::Paused: return "paused";
    case Kind::Unpaused: return "unpaused";
    case Kind::LimitsChanged: return "limits changed";
    case Kind::TakenOver: return "taken over";
    case Kind::Extended: return "extended";
    case Kind::Waiting: return "waiting";
    case Kind::Sample: break;
    }
    return "";
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

std::optional<audit::AuditEntry> auditEntryOf(const SessionEvent& event)
{
    if (event.kind == SessionEvent::Kind::Sample || event.kind == SessionEvent::Kind::Waiting)
        return {};
    audit::AuditEntry entry;
    entry.kind = "session";
    entry.thread = event.info.thread;
    entry.session = event.info.id;
    entry.subject = event.info.id.value;
    entry.outcome = outcomeOf(event.kind);
    entry.details = detailsOf(event);
    return entry;
}

} // namespace sg::sessions
