#include "core/sessions/live/session_audit.h"

#include "core/base/hash.h"
#include "core/sessions/live/session_egress.h"

#include <string_view>
#include <utility>

namespace sg::sessions {
namespace {

const char* nameOf(CellStatus status)
{
    switch (status) {
    case CellStatus::Ok: return "ok";
    case CellStatus::Error: return "error";
    case CellStatus::Interrupt: return "interrupt";
    case CellStatus::TimedOut: return "timed out";
    case CellStatus::Stopped: return "stopped";
    case CellStatus::Died: return "died";
    }
    return "?";
}

const std::string& sourceOf(const ValueMap& request)
{
    static const std::string kNone;
    const Value* const code = request.find(std::string_view("code"));
    const Value* const source = request.find(std::string_view("source"));
    const Value* const text = code != nullptr ? code : source;
    return text != nullptr && text->isString() ? text->asString() : kNone;
}

} // namespace

SessionAudit::SessionAudit(const SessionParts& parts)
    : m_parts(parts)
{
}

audit::AuditEntry SessionAudit::entry(audit::Kind kind, const artifacts::ArtifactOrigin& origin) const
{
    audit::AuditEntry row;
    row.kind = kind;
    row.thread = m_parts.thread;
    row.run = origin.run;
    row.agent = origin.node.value;
    row.session = m_parts.id;
    return row;
}

void SessionAudit::write(audit::AuditEntry entry, AuditWhen when) const
{
    if (m_parts.audit)
        static_cast<void>(m_parts.audit(std::move(entry), when));
}

void SessionAudit::dataset(const Value& request, const artifacts::ArtifactOrigin& origin,
                           const Result<Value>& answer) const
{
    const std::string op = request.stringOr("op", "");
    if (!m_parts.audit || op == "list")
        return;
    audit::AuditEntry row = entry(audit::Kind::Dataset, origin);
    row.subject = op == "export" ? request.stringOr("path", "") : request.stringOr("id", "");
    row.outcome = answer ? audit::Outcome::Ok : audit::Outcome::Error;
    row.details = Value::map({ { "op", op } });
    if (answer && (*answer)["bytes"].isInt())
        row.details.editMap().set("bytes", (*answer)["bytes"]);
    if (!answer)
        row.details.editMap().set("error", answer.error().message);
    write(std::move(row), AuditWhen::Now);
}

void SessionAudit::terminal(audit::Outcome outcome) const
{
    audit::AuditEntry row = entry(audit::Kind::Terminal, {});
    row.subject = m_parts.id.value;
    row.outcome = outcome;
    write(std::move(row), AuditWhen::Now);
}

void SessionAudit::secret(const std::string& name, audit::Outcome outcome, Value how) const
{
    audit::AuditEntry row = entry(audit::Kind::Secret, {});
    row.subject = name;
    row.outcome = outcome;
    row.details = std::move(how);
    write(std::move(row), AuditWhen::Now);
}

bool SessionAudit::egress(const sandbox::egress::EgressDecision& decision,
                          const artifacts::ArtifactOrigin& origin) const
{
    if (!m_parts.audit)
        return true;
    audit::AuditEntry told = egressEntry(decision);
    audit::AuditEntry row = entry(audit::Kind::Egress, origin);
    row.subject = std::move(told.subject);
    row.outcome = std::move(told.outcome);
    row.details = std::move(told.details);
    return static_cast<bool>(m_parts.audit(std::move(row), AuditWhen::Now));
}

// The first row is written while the code runs. Without it, a cell that never ends, or ends with this
// program, would leave no trace.
SessionAudit::Cell SessionAudit::cellStarts(const ValueMap& request,
                                            const artifacts::ArtifactOrigin& origin) const
{
    if (!m_parts.audit)
        return {};
    const std::string& source = sourceOf(request);
    Cell cell{ sha256Hex(source), source.size() };
    audit::AuditEntry row = entry(audit::Kind::Cell, origin);
    row.subject = cell.hash;
    row.outcome = audit::Outcome::Started;
    row.details = Value::map({ { "bytes", cell.bytes } });
    write(std::move(row), AuditWhen::Soon);
    return cell;
}

void SessionAudit::cellEnded(const Cell& cell, const artifacts::ArtifactOrigin& origin,
                             const CellResult& result) const
{
    if (!m_parts.audit)
        return;
    audit::AuditEntry row = entry(audit::Kind::Cell, origin);
    row.subject = cell.hash;
    row.outcome = nameOf(result.status);
    row.details = Value::map({ { "bytes", cell.bytes }, { "seconds", result.seconds } });
    if (result.error)
        row.details.editMap().set("error", result.error->type);
    if (result.droppedBytes > 0)
        row.details.editMap().set("dropped_bytes", result.droppedBytes);
    write(std::move(row), AuditWhen::Soon);
    for (const artifacts::Artifact& artifact : result.artifacts) {
        audit::AuditEntry stored = entry(audit::Kind::Artifact, origin);
        stored.subject = artifact.id.value;
        stored.outcome = audit::Outcome::Stored;
        stored.details = Value::map(
            { { "path", artifact.path }, { "sha256", artifact.sha256 }, { "bytes", artifact.size } });
        write(std::move(stored), AuditWhen::Soon);
    }
}

} // namespace sg::sessions
