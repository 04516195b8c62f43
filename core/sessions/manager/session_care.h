#pragma once

#include "core/sessions/manager/session_maker.h"

#include <functional>
#include <string>
#include <vector>

// What can be done to sessions that this process does not have: sandboxes found on the engine, and the
// records.
namespace sg::sessions {

struct FoundSession {
    std::string backendName;
    sandbox::SandboxBackend* backend = nullptr;
    sandbox::FoundSandbox sandbox;
};

// Of this project; an engine that does not answer has none.
std::vector<FoundSession> findSessions(SessionManager::Backends& backends, const std::string& project);

// With the running sandbox of a kept session that no program has. Errc::NotFound, Conflict.
Result<void> withKept(SessionManager::Backends& backends, const std::string& project, SessionRecords* records,
                      const SessionId& id, const std::function<Result<void>(sandbox::Sandbox&)>& action);

// One that another program has or left, as a list shows it. Nothing where nobody should see it.
std::optional<SessionInfo> describeFound(const FoundSession& found, SessionRecords* records);

// `beforeRemoval`: of each sandbox that is about to be removed; not in a dry run.
Result<std::vector<Garbage>> collectGarbageOf(SessionManager::Backends& backends, const std::string& project,
                                              SessionRecords* records, WallTime now, bool dryRun,
                                              std::chrono::hours recordsFor,
                                              const std::function<void(const FoundSession&)>& beforeRemoval);

Error noSession(const SessionId& id);

} // namespace sg::sessions
