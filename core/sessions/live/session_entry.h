#pragma once

#include "core/audit/audit_log.h"
#include "core/sessions/session_spec.h"

#include <optional>

namespace sg::sessions {

// The audit row of an event: starts, ends and changes of sessions. nullopt for samples and for sessions that
// wait.
std::optional<audit::AuditEntry> auditEntryOf(const SessionEvent& event);

} // namespace sg::sessions
