#pragma once

#include "core/sessions/manager/session_maker.h"

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

// Operations on sessions that this process does not have, by the sandboxes found on engines and by the
// records.
namespace sg::sessions {

struct FoundSession {
    std::string backendName;
    sandbox::SandboxBackend* backend = nullptr;
    sandbox::FoundSandbox sandbox;
};

// Finds this project's sandboxes; an engine that does not answer counts as having none.
std::vector<FoundSession> findSessions(SessionManager::Backends& backends, const std::string& project);

// Calls `action` with the running sandbox of a kept session that no program has. Errc::NotFound, Conflict.
Result<void> withKept(SessionManager::Backends& backends, const std::string& project, SessionRecords* records,
                      const SessionId& id, const std::function<Result<void>(sandbox::Sandbox&)>& action);

// Describes a session that another program has or left, for a list. Nothing where it should not be listed.
std::optional<SessionInfo> describeFound(const FoundSession& found, SessionRecords* records);

struct Collection {
    WallTime now;
    bool dryRun = false; // what would be removed is listed and stays
    std::chrono::hours recordsFor{}; // how long records of ended sessions are kept
};

// Calls `beforeRemoval` for each sandbox that is about to be removed, but not in a dry run.
Result<std::vector<Garbage>> collectGarbageOf(SessionManager::Backends& backends, const std::string& project,
                                              SessionRecords* records, const Collection& how,
                                              const std::function<void(const FoundSession&)>& beforeRemoval);

// Takes up the sessions that a killed program left, with their names, and removes those that cannot be taken
// up. If there are too many, the others wait until somebody asks for them.
using SpecOfPart = std::function<Result<SessionSpec>(const SessionPart&)>;
void takeUpLeft(SessionManager& sessions, const SpecOfPart& specOf, const std::stop_token& stop);

Error noSession(const SessionId& id);

} // namespace sg::sessions
