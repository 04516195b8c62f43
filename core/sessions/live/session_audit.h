#pragma once

#include "core/audit/audit_log.h"
#include "core/sandbox/egress/egress_proxy.h"
#include "core/sessions/live/session_parts.h"

#include <string>

namespace sg::sessions {

// SessionAudit writes rows of the audit log. Most failures to write stop nothing, as the writer itself
// reports them; functions that return a bool tell their caller. Any thread.
class SessionAudit {
public:
    explicit SessionAudit(const SessionParts& parts); // outlives this

    void dataset(const Value& request, const artifacts::ArtifactOrigin& origin,
                 const Result<Value>& answer) const;
    void terminal(audit::Outcome outcome) const;
    void secret(const std::string& name, audit::Outcome outcome, Value how) const;
    // False: the row could not be written, so nobody could tell later that it happened.
    [[nodiscard]] bool egress(const sandbox::egress::EgressDecision& decision,
                              const artifacts::ArtifactOrigin& origin) const;

    // One row before code runs and one after it, by the hash of its text.
    struct Cell {
        std::string hash;
        std::size_t bytes = 0;
    };
    [[nodiscard]] Cell cellStarts(const ValueMap& request, const artifacts::ArtifactOrigin& origin) const;
    void cellEnded(const Cell& cell, const artifacts::ArtifactOrigin& origin, const CellResult& result) const;

private:
    [[nodiscard]] audit::AuditEntry entry(audit::Kind kind, const artifacts::ArtifactOrigin& origin) const;
    void write(audit::AuditEntry entry, AuditWhen when) const;

    const SessionParts& m_parts;
};

} // namespace sg::sessions
