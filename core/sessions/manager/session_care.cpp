#include "core/sessions/manager/session_care.h"

#include "core/base/log.h"
#include "core/sandbox/backend_kinds.h"
#include "core/sandbox/owner_process.h"

#include <algorithm>

namespace sg::sessions {

Error noSession(const SessionId& id)
{
    return { Errc::NotFound,
             "there is no session " + id.value + "; \"sandglass session list\" shows those there are" };
}

std::vector<FoundSession> findSessions(SessionManager::Backends& backends, const std::string& project)
{
    std::vector<FoundSession> sessions;
    for (const auto& [name, backend] : backends)
        if (auto found = backend->find())
            for (sandbox::FoundSandbox& one : *found)
                if (one.project == project)
                    sessions.push_back({ name, backend.get(), std::move(one) });
    return sessions;
}

Result<void> withKept(SessionManager::Backends& backends, const std::string& project, SessionRecords* records,
                      const SessionId& id, const std::function<Result<void>(sandbox::Sandbox&)>& action)
{
    for (const FoundSession& found : findSessions(backends, project)) {
        if (found.sandbox.session != id)
            continue;
        if (!found.sandbox.kept || holderOf(found.sandbox, records) != Holder::Nobody)
            return Error{ Errc::Conflict,
                          "session " + id.value + " is in use by another program; do it there" };
        auto sandbox = found.backend->attach(found.sandbox);
        if (!sandbox)
            return std::move(sandbox.error());
        return action(**sandbox); // the session is kept: detaching leaves it as it is
    }
    if (records != nullptr)
        if (const auto record = records->find(id); record && *record && (*record)->hasEnded())
            return Error{ Errc::NotFound, "session " + id.value + " " + (*record)->info.state.text() };
    return noSession(id);
}

namespace {

// A sandbox that was started ahead bears no thread's name, and no record knows it before a session has it.
bool isUntaken(const sandbox::FoundSandbox& found, SessionRecords* records)
{
    if (!found.thread.empty() || records == nullptr)
        return false;
    const auto record = records->find(found.session);
    return record && !*record;
}

} // namespace

std::optional<SessionInfo> describeFound(const FoundSession& found, SessionRecords* records)
{
    const sandbox::FoundSandbox& one = found.sandbox;
    const Holder holder = holderOf(one, records);
    const bool waitsAhead = (holder == Holder::Us && !one.kept) // else it is among the living sessions
        || isUntaken(one, records);
    if (waitsAhead || (!one.kept && records == nullptr))
        return std::nullopt;
    SessionInfo info;
    info.createdAt = one.createdAt;
    if (records != nullptr)
        if (const auto record = records->find(one.session); record && *record) {
            info = (*record)->info;
            info.lastUsedAt = isoTime((*record)->lastUsed);
            info.cells = (*record)->cells;
            if (const auto expiry = (*record)->expiry())
                info.expiresAt = isoTime(expiry->at);
        }
    info.id = one.session;
    if (!one.thread.empty()) { // else it was started ahead, and only the record knows its thread
        info.thread = one.thread;
        info.part = SessionPart::parse(one.part);
    }
    info.backend = found.backendName;
    info.sandboxName = one.name;
    if (holder == Holder::Nobody && !one.endsAt.empty()) // nobody asks its service for more time
        info.expiresAt = one.endsAt;
    using Kind = SessionState::Kind;
    info.state = one.paused         ? Kind::Paused
        : holder == Holder::Another ? Kind::InUse
        : one.kept                  ? Kind::Kept
                                    : Kind::LeftBehind;
    return info;
}

namespace {

// Closes the records of sessions whose program has gone or detached, and whose sandbox has vanished from its
// engine. An engine that does not answer may still have it.
Result<void> closeMissing(SessionManager::Backends& backends, SessionRecords& records, WallTime now,
                          bool dryRun, std::vector<Garbage>& garbage)
{
    const std::string why = "its sandbox was removed, or died with its engine";
    const auto open = records.list(false);
    if (!open)
        return open.error();
    for (auto& [name, backend] : backends) {
        const auto found = backend->find();
        if (!found || sandbox::diesWithProgram(name)) // closeAbandoned() knows those
            continue;
        for (const SessionRecord& record : *open) {
            const auto owner = sandbox::parseOwnerMark(record.owner);
            const bool isThere = std::ranges::any_of(
                *found, [&](const sandbox::FoundSandbox& one) { return one.session == record.info.id; });
            if (record.info.backend != name || isThere || (owner && !sandbox::isGone(*owner)))
                continue;
            garbage.push_back({ "session", record.info.sandboxName, record.info.id, why });
            if (dryRun)
                continue;
            if (auto ended = records.setState(record.info.id, SessionState::ended(why)); !ended)
                return ended;
            if (auto noted = records.note(record.info.id, { now, SessionEventKind::Ended, why }); !noted)
                return noted;
        }
    }
    return {};
}

} // namespace

Result<std::vector<Garbage>> collectGarbageOf(SessionManager::Backends& backends, const std::string& project,
                                              SessionRecords* records, const Collection& how,
                                              const std::function<void(const FoundSession&)>& beforeRemoval)
{
    const auto& [now, dryRun, recordsFor] = how;
    std::vector<Garbage> garbage;
    for (const FoundSession& found : findSessions(backends, project)) {
        const sandbox::FoundSandbox& one = found.sandbox;
        if (holderOf(one, records) != Holder::Nobody)
            continue;
        const auto starter = sandbox::parseOwnerMark(one.ownerProcess);
        const bool isLeftAhead =
            isUntaken(one, records) && starter && sandbox::isGone(*starter); // nobody can take it
        std::string why = one.kept && !isLeftAhead ? "" : "the program that started it is gone";
        if (records != nullptr)
            if (auto record = records->find(one.session); record && *record) {
                if (one.paused)
                    (*record)->lastUsed = now; // a paused session cannot be used, so it is not idle
                if (const auto expiry = (*record)->expiry(); expiry && expiry->at <= now)
                    why = expiry->why;
            }
        if (why.empty())
            continue;
        if (!dryRun) {
            beforeRemoval(found);
            if (auto gone = found.backend->remove(one); !gone)
                return std::move(gone.error()).during("remove " + one.name);
            if (records != nullptr) {
                static_cast<void>(records->setState(one.session, SessionState::ended(why)));
                static_cast<void>(records->note(one.session, { now, SessionEventKind::Ended, why }));
            }
        }
        garbage.push_back({ "sandbox", one.name, one.session, why });
    }
    if (records == nullptr)
        return garbage;
    if (auto closed = closeMissing(backends, *records, now, dryRun, garbage); !closed)
        return std::move(closed.error());
    if (!dryRun) {
        if (auto closed = records->closeAbandoned(); !closed)
            return std::move(closed.error());
        auto forgotten = records->forgetEnded(now - recordsFor);
        if (!forgotten)
            return std::move(forgotten.error());
        if (*forgotten > 0)
            garbage.push_back({ "records", std::to_string(*forgotten), {}, "the sessions ended long ago" });
        return garbage;
    }
    const auto open = records->list(false);
    if (!open)
        return open.error();
    for (const SessionRecord& record : *open) {
        const auto owner = sandbox::parseOwnerMark(record.owner);
        if (sandbox::diesWithProgram(record.info.backend) && owner && sandbox::isGone(*owner))
            garbage.push_back(
                { "session", record.info.sandboxName, record.info.id, "it ended with its program" });
    }
    return garbage;
}

void takeUpLeft(SessionManager& sessions, const SpecOfPart& specOf, const std::stop_token& stop)
{
    std::vector<SessionInfo> left = sessions.list();
    std::erase_if(left,
                  [](const SessionInfo& info) { return !info.state.is(SessionState::Kind::LeftBehind); });
    if (left.empty())
        return;
    bool isAnyWaiting = false;
    for (const SessionInfo& info : left) {
        if (info.thread.empty())
            continue;
        const auto spec = specOf(info.part);
        if (!spec)
            continue;
        const auto taken = sessions.acquire(info.thread, *spec, stop, {}, SessionManager::For::Nobody);
        if (stop.stop_requested())
            return;
        if (taken)
            continue;
        isAnyWaiting = isAnyWaiting || taken.error().code == Errc::LimitExceeded;
        if (taken.error().code != Errc::LimitExceeded)
            logMessage(LogLevel::Warning, taken.error().message);
    }
    if (isAnyWaiting) // they end by themselves if nobody asks
        return;
    if (auto swept = sessions.sweepOrphans(); !swept)
        logMessage(LogLevel::Warning, swept.error().message);
}

} // namespace sg::sessions
