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
    std::filesystem::path sessionsFolder; // folders of BIND sessions, sockets' records
    std::filesystem::path runnerFolder; // resources/sandbox
    std::filesystem::path python; // virtual environment for bubblewrap
    std::string project; // 8 hex digits
    // Answers requests of the code of sessions that have datasets; must outlive the sessions. May be empty.
    ToolAnswer answerTool{};
    SnapshotStored snapshotStored{}; // must outlive the sessions
    SnapshotOfThread snapshotOf{}; // the same
    SnapshotLimits snapshotLimits{};
    std::shared_ptr<SnapshotRoom> snapshotRoom{}; // all sessions share it; null: there is no cap
    SecretLookup findSecret{}; // must outlive the sessions; empty: no session has secrets
    SecretLookup findHeaderSecret{}; // the same, for secrets that only the proxy may use
    std::filesystem::path authorities{}; // PEM, for the hosts of such headers; empty: this machine's
    AuditListener audit{}; // must outlive the sessions; may be empty
    LayerSource layers{}; // must outlive the sessions; empty: no session has requirements
    std::filesystem::path snapshots; // folder of snapshots' file contents; empty: none are taken
    std::chrono::milliseconds sampleInterval{ 1000 };
    std::filesystem::path records{}; // sessions.sqlite; empty: nothing is kept of sessions that ended
    HostBudgetLimits budget{};
    // Tells whether a run of this program works on the thread: its sessions then make no room for others.
    // Empty: no thread is in a run. Any thread.
    std::function<bool(const ThreadId&)> isInRun{};
    // A Docker session waits this long for another program to take it up after its own was killed.
    std::chrono::seconds orphanTimeout{ 120 };
};

// An item that collectGarbage() removed, or would remove.
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

    // Tells people why a session takes its time.
    using Say = std::function<void(const std::string& line)>;
    enum class For { Person, Run, Nobody }; // who needs it; for nobody, only a free place is taken

    // Returns the thread's session: the living one, one that an earlier program left, one started ahead, or a
    // new one. Installs what the spec requires. Where the host's budget is spent it waits, and says so by an
    // event; meanwhile idle sessions outside of runs make room, the one that was idle longest first. An error
    // of a missing backend says what to install; Errc::Conflict: another program has the session;
    // LimitExceeded: runs have taken all room and would wait for each other for ever, or `whom` is Nobody and
    // there is no room.
    Result<std::shared_ptr<Session>> acquire(const ThreadId& thread, const SessionSpec& spec,
                                             std::stop_token stop = {}, const Say& say = {},
                                             For whom = For::Person);
    // Gets what a start needs: its folder, packages and secrets. A failure has ended no session.
    Result<void> prepare(const SessionSpec& spec, std::stop_token stop = {}, const Say& say = {});
    [[nodiscard]] std::vector<SessionInfo> list(); // also those of other processes
    [[nodiscard]] std::shared_ptr<Session> find(const ThreadId& thread, const SessionPart& part = {}) const;
    // Ends the sessions that belong to this run alone.
    void endRun(const RunId& run);
    Result<void> stop(const SessionId& id);
    // The following reach sessions of this process, and kept ones that no process has. Errc::Conflict where
    // another process has the session.
    Result<void> pause(const SessionId& id);
    Result<void> unpause(const SessionId& id);
    Result<void> setLimits(const SessionId& id, const sandbox::Limits& limits);
    // Lets the session live until then at least, whatever its lifetime says. Errc::Unsupported without
    // records.
    Result<void> extend(const SessionId& id, std::chrono::milliseconds fromNow);
    // Removes sandboxes of this project that are not kept and whose process is gone; returns how many.
    Result<int> sweepOrphans();
    // Also removes sessions whose lifetime is over, and records of sessions that ended before `recordsFor`.
    Result<std::vector<Garbage>> collectGarbage(bool dryRun,
                                                std::chrono::hours recordsFor = std::chrono::hours(24 * 30));
    // Starts sessions of this spec ahead from now on; size 0: none. A spec that cannot wait (BIND, kept) is
    // ignored.
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
