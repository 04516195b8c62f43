#pragma once

#include "core/audit/audit_log.h"
#include "core/base/subscription.h"
#include "core/sessions/host_budget.h"
#include "core/sessions/layer.h"
#include "core/sessions/live/session_rewind.h"
#include "core/sessions/module_folder.h"
#include "core/sessions/records/session_records.h"
#include "core/sessions/session.h"
#include "core/sessions/session_mode.h"
#include "core/sessions/session_spec.h"
#include "core/sessions/snapshots/snapshot_limits.h"
#include "core/settings/secret.h"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace sg::sessions {

struct SessionManagerOptions {
    std::filesystem::path sessionsFolder; // BIND sessions and sockets' bookkeeping
    std::filesystem::path runnerFolder; // resources/sandbox
    std::filesystem::path python; // virtual environment for bubblewrap
    std::string project; // 8 hex digits
    // Requests of every session's code that has datasets; must outlive the sessions. May be empty.
    ToolAnswer answerTool{};
    SnapshotStored snapshotStored{}; // must outlive the sessions
    SnapshotOfThread snapshotOf{}; // the same
    SnapshotLimits snapshotLimits{};
    std::shared_ptr<SnapshotRoom> snapshotRoom{}; // all sessions share it; null: there is no cap
    SecretLookup findSecret{}; // must outlive the sessions; empty: no session has secrets
    SecretLookup findHeaderSecret{}; // the same, of those that only the proxy may use
    std::filesystem::path authorities{}; // PEM, for the hosts of such headers; empty: this machine's
    AuditListener audit{}; // must outlive the sessions; may be empty
    LayerSource layers{}; // must outlive the sessions; empty: no session has requirements
    std::filesystem::path snapshots; // folder of snapshots' file contents; empty: none are taken
    std::chrono::milliseconds sampleInterval{ 1000 };
    std::filesystem::path records{}; // sessions.sqlite; empty: nothing is kept of sessions that ended
    HostBudgetLimits budget{};
    // Whether a run of this program works on the thread: its sessions then make no room for others. Empty:
    // none ever does. Any thread.
    std::function<bool(const ThreadId&)> isInRun{};
    // How long a Docker session waits for a program to take it up again after its own was killed.
    std::chrono::seconds orphanTimeout{ 120 };
};

// What collectGarbage() removed, or would.
struct Garbage {
    std::string kind; // "sandbox", "session", "records"
    std::string name;
    SessionId session;
    std::string why;
};

// Owns every session of a project: one per thread and part. Any thread.
class SessionManager {
public:
    using Backends =
        std::map<std::string, std::unique_ptr<sandbox::SandboxBackend>>; // "docker", "bubblewrap"

    SessionManager(Backends backends, artifacts::ArtifactStore& artifacts, const Clock& clock, Random& random,
                   SessionManagerOptions options);
    ~SessionManager(); // ends all sessions but kept ones
    SessionManager(const SessionManager&) = delete;
    SessionManager& operator=(const SessionManager&) = delete;

    // Why a session takes its time, for people.
    using Say = std::function<void(const std::string& line)>;
    enum class For { Person, Run, Nobody }; // who needs it; nobody: it takes only room that there is

    // The thread's session: the living one, one that an earlier program left, one started ahead, or a new
    // one. Waits where the host's budget is spent, and says so by an event; meanwhile sessions outside of
    // runs that nobody uses make room, the one that was idle longest first. Installs what the spec requires.
    // The error says what to install; Errc::Conflict: another program has it; LimitExceeded: runs have taken
    // all room and would wait for each other for ever, or nobody needs it and there is no room.
    Result<std::shared_ptr<Session>> acquire(const ThreadId& thread, const SessionSpec& spec,
                                             std::stop_token stop = {}, const Say& say = {},
                                             For whom = For::Person);
    // What a start needs beforehand: its folder, packages and secrets. Where that fails nothing was ended.
    Result<void> prepare(const SessionSpec& spec, std::stop_token stop = {}, const Say& say = {});
    [[nodiscard]] std::vector<SessionInfo> list(); // also those of other processes
    [[nodiscard]] std::shared_ptr<Session> find(const ThreadId& thread, const SessionPart& part = {}) const;
    // Ends the sessions that belong to this run alone.
    void endRun(const RunId& run);
    Result<void> stop(const SessionId& id);
    // These reach sessions of this process, and kept ones that no process has. Errc::Conflict where another
    // one has it.
    Result<void> pause(const SessionId& id);
    Result<void> unpause(const SessionId& id);
    Result<void> setLimits(const SessionId& id, const sandbox::Limits& limits);
    // It lives until then at least, whatever its lifetime says. Errc::Unsupported without records.
    Result<void> extend(const SessionId& id, std::chrono::milliseconds fromNow);
    // Sandboxes of this project whose process is gone and that are not kept; how many were removed.
    Result<int> sweepOrphans();
    // Those, sessions whose lifetime is over, and records of what ended before that.
    Result<std::vector<Garbage>> collectGarbage(bool dryRun,
                                                std::chrono::hours recordsFor = std::chrono::hours(24 * 30));
    // Sessions of this spec started ahead from now on; size 0: none. What cannot be (BIND, kept) is left
    // alone.
    void startAhead(const SessionSpec& spec, const PoolOptions& pool);
    [[nodiscard]] int readyAhead() const;
    SessionRecords* records(); // null: nothing is kept
    [[nodiscard]] Result<sandbox::BackendInfo> backendInfo(const std::string& name); // "auto" too
    Publisher<SessionEvent>& events();

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace sg::sessions
