#pragma once

#include "core/base/clock.h"
#include "core/sandbox/sandbox.h"
#include "core/sessions/cell_line.h"
#include "core/sessions/host_budget.h"
#include "core/sessions/layer.h"
#include "core/sessions/live/artifact_intake.h"
#include "core/sessions/live/session_egress.h"
#include "core/sessions/live/session_rewind.h"
#include "core/sessions/records/session_journal.h"
#include "core/sessions/runner/frame.h"
#include "core/sessions/session.h"
#include "core/sessions/session_spec.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

namespace sg::sessions {

class CellFrames;
class LiveSandbox;

struct SessionParts {
    SessionId id;
    ThreadId thread;
    SessionSpec spec;
    sandbox::SandboxSpec sandboxSpec;
    std::string backendName;
    sandbox::BackendInfo backendInfo;
    sandbox::SandboxBackend* backend = nullptr; // outlives the session or its end()
    artifacts::ArtifactStore* artifacts = nullptr;
    const Clock* clock = nullptr;
    ToolAnswer answerTool{}; // empty: its code has no tools
    SecretLookup findSecret{};
    SecretLookup findHeaderSecret{};
    std::filesystem::path authorities{}; // of hosts to which the proxy speaks TLS
    AuditListener audit{};
    SnapshotStored snapshotStored{};
    SnapshotLimits snapshotLimits{};
    std::shared_ptr<SnapshotRoom> snapshotRoom{}; // the project's: sessions may outlive their manager
    std::filesystem::path snapshots; // folder of snapshots' file contents; empty: none are taken
    WallTime startedAt{}; // of one that is taken up again; else now
    std::int64_t cellsBefore = 0; // of earlier programs in the same session
    std::optional<Layer> layer{}; // of its requirements
    std::optional<sandbox::Limits> limitsNow{}; // the same, where they were changed while it lived
    SnapshotOfThread snapshotOf{}; // where its thread stands; may be empty
    bool isNew =
        false; // its thread had none: the first cell by hand finds what the thread's newest snapshot holds
    bool comesAfterLoss =
        false; // the thread's session before it was lost: it goes on where the thread stands
    // Another program has taken up what was kept of it, as far as the records tell; empty: it is not known.
    std::function<bool()> isAnothers{};
};

// Who waits for a session to be there, and hears why it takes its time.
struct SessionAsker {
    bool isRun = false;
    std::stop_token stop;
    std::function<void(const std::string& line)> say;
    bool takesOnlyRoom = false; // that there is now: it does not wait, and nobody makes room for it
};
// Of a session that gave its place in the host's budget back, and needs one again.
using PlaceSource = std::function<Result<HostBudget::Place>(const SessionInfo& waiting, const SessionAsker&)>;

// How long a kept session's runner goes on without a host from now on; 0: for ever.
void tellOrphanTime(RunnerLink& link, std::chrono::milliseconds fromNow, std::chrono::milliseconds idle);

// What the runner is told with its first hello.
ValueMap helloOptions(const SessionSpec& spec);

// A Session over one sandbox at a time: when that dies, the next cell starts another.
class SandboxSession final : public Session {
public:
    using Listener = std::function<void(SessionEvent::Kind, const SessionInfo&, const std::string& text)>;

    // `folder`: of a BIND session.
    SandboxSession(SessionParts parts, std::optional<SessionFolder> folder, Listener listener);
    ~SandboxSession() override;

    // Before anything else, one of them. A stop ends the wait for secrets.
    Result<void> start(const std::stop_token& stop = {});
    Result<void> attach(const sandbox::FoundSandbox& found);
    Result<void> adoptAhead(std::unique_ptr<sandbox::Sandbox> sandbox, SessionEgress egress); // of the pool

    // Errc::Conflict while a cell runs. A paused session wakes by itself for the next cell.
    Result<void> pause();
    Result<void> unpause();
    // Memory, processes and CPUs, from now on. Errc::Unsupported where the backend cannot.
    Result<void> setLimits(const sandbox::Limits& limits);
    // The same where a spec asks for it: what it asked for before does not count any more.
    Result<void> askLimits(const sandbox::Limits& limits);
    void setLifetime(const Lifetime& lifetime);
    void extend(std::chrono::milliseconds fromNow);
    // Its place in the host's budget, given back when its sandbox ends; `again`: for the next one.
    void hold(HostBudget::Place place, PlaceSource again);
    // Since when no cell has run; nothing where one runs, or where it holds no place.
    [[nodiscard]] std::optional<WallTime> idleSince() const;
    // Its sandbox ends and its place is given back: the next cell starts another, in which it stands where it
    // did. False: a cell runs, it has none, or it could not stand there again.
    bool makeRoom(const std::string& why);
    // Where it made room: has a sandbox again, as its next cell would. True: it had made room.
    Result<bool> wake(const SessionAsker& asker);
    // Cells since the last call, and when the last one ended (now, while one runs).
    struct Use {
        WallTime last;
        std::int64_t cells = 0;
        bool isBusy = false;
    };
    Use takeUse();
    [[nodiscard]] const SessionId& id() const { return m_parts.id; }
    [[nodiscard]] const ThreadId& thread() const { return m_parts.thread; }
    [[nodiscard]] WallTime startedAt() const { return m_startedAt; }

    [[nodiscard]] SessionInfo info() const override;
    CellResult runCell(const std::string& code, const CellLimits& limits,
                       const artifacts::ArtifactOrigin& origin, const CellHandlers& handlers,
                       std::stop_token stop) override;
    CellResult call(const FunctionCall& call, const CellLimits& limits,
                    const artifacts::ArtifactOrigin& origin, const CellHandlers& handlers,
                    std::stop_token stop) override;
    Result<sandbox::ResourceSample> sample() override;
    std::shared_ptr<RunnerLink> link() override;
    void noteTerminal(const char* outcome) override;
    void end() override;
    void end(const std::string& why); // "it was idle for 45 min"

    [[nodiscard]] SessionSpec spec() const; // as it was asked for last; info() tells the limits that hold
    [[nodiscard]] bool hasEnded() const { return m_ended; }
    // Lets go of a kept session's sandbox, which goes on without this process.
    void leave();
    // About once a second, by the session's owner: takes in what the session printed between cells, notices
    // its death, ends a runner that does not read.
    void tick();

private:
    using Live = std::shared_ptr<LiveSandbox>;

    struct Work {
        ValueMap request;
        SessionWorld* world = nullptr;
        CallSite caller{};
        bool keepsFailed = false;
        bool isOfRun = false;
    };
    CellResult execute(Work work, const CellLimits& limits, const artifacts::ArtifactOrigin& origin,
                       const CellHandlers& handlers, std::stop_token stop);
    CellResult executeNow(Work work, const CellLimits& limits, const artifacts::ArtifactOrigin& origin,
                          const CellHandlers& handlers, const std::stop_token& stop);
    CellResult executeClean(Work work, const CellLimits& limits, const artifacts::ArtifactOrigin& origin,
                            const CellHandlers& handlers, const std::stop_token& stop);
    CellHandlers withTools(const CellHandlers& handlers, const CellLimits& limits,
                           const artifacts::ArtifactOrigin& origin, const std::stop_token& stop);
    Result<void> adopt(std::unique_ptr<sandbox::Sandbox> sandbox, bool wasStartedAhead = false,
                       const std::stop_token& stop = {});
    // What has to be mounted for it, if anything. `found`: of a sandbox that lives already.
    Result<std::optional<sandbox::Mount>> openNetwork(bool found, const std::stop_token& stop = {});
    void takeNetwork(SessionEgress made);
    std::unique_ptr<sandbox::egress::EgressProxy> takeEgress();
    [[nodiscard]] bool auditEgress(const sandbox::egress::EgressDecision& decision);
    Result<void> bringSecrets(LiveSandbox& live, const std::stop_token& stop) const;
    [[nodiscard]] audit::AuditEntry auditEntry(const char* kind,
                                               const artifacts::ArtifactOrigin& origin) const;
    void auditDataset(const Value& request, const artifacts::ArtifactOrigin& origin,
                      const Result<Value>& answer) const;
    void audit(audit::AuditEntry entry) const; // one that cannot be written stops nothing
    // Before it runs and after it, by the hash of its code.
    struct AuditedCell {
        std::string hash;
        std::size_t bytes = 0;
    };
    [[nodiscard]] AuditedCell auditCellStart(const ValueMap& request,
                                             const artifacts::ArtifactOrigin& origin) const;
    void auditCell(const AuditedCell& cell, const artifacts::ArtifactOrigin& origin,
                   const CellResult& result) const;
    // With the line, before and after the code of a call.
    std::optional<CellError> enterWorld(const Live& live, const Work& work, CellResult& result);
    // After a loss, of a cell by hand: nobody says where the session must stand.
    void comeBack(CellResult& result);
    [[nodiscard]] bool setAside(const Live& live);
    bool comeBackFromAside(CellResult& result);
    [[nodiscard]] Result<Restored> standAs(const Stand& stand, CellResult& result);
    void tellOfLoss(const CellHandlers& handlers, const CellResult& result, bool byHand);
    void leaveWorld(LiveSandbox& live, const Work& work, bool copyFollows, CellResult& result);
    void noteAsleep();
    [[nodiscard]] std::int64_t diskBytes() const; // as it was measured last
    // Of code that was stopped because it filled its folder.
    void tellDiskFull(std::int64_t used, const sandbox::Limits& limits, CellResult& result);
    Result<Live> ensureLive(const CellLimits& limits, const CellHandlers& handlers,
                            const SessionAsker& asker);
    Result<void> startAgain(const SessionAsker& asker);
    CellResult lost(const Live& live, CellResult soFar);
    // Takes a dead sandbox out, once; says why it died.
    void storeSnapshots();
    std::optional<CellError> bury(const Live& live);
    [[nodiscard]] bool isTakenOver(LiveSandbox& live) const;
    CellError letGo();
    void takeIdleFrame(const Frame& frame);
    void showIdle(CellFrames& frames, RunnerLink& link);
    [[nodiscard]] Live current() const;
    [[nodiscard]] sandbox::Limits limits() const;
    void lookAtFiles(LiveSandbox& live);
    void noteVariables(LiveSandbox& live);
    void noteLastVariables(); // of a session that lived for less than a tick, too
    // Once, for good. The place is the caller's to give back once the sandbox has ended.
    Live takeOut(const std::string& why, HostBudget::Place& place);
    void setState(const std::string& state);

    const SessionParts m_parts;
    const Listener m_listener;
    const WallTime m_startedAt;
    SessionJournal m_journal; // has its own lock
    CellLine m_line; // has its own lock
    std::atomic<bool> m_ended = false;
    std::atomic<bool> m_madeRoom = false; // its sandbox was ended for another session's
    std::stop_source m_over; // stopped once m_ended is set: what waits for a place waits in vain

    mutable std::mutex m_mutex;
    // Guarded by m_mutex:
    HostBudget::Place m_place;
    PlaceSource m_placeAgain; // empty: it needs none
    sandbox::Limits m_limits; // that hold
    sandbox::Limits m_askedLimits;
    Lifetime m_lifetime;
    WallTime m_lastUsed;
    std::int64_t m_cells = 0;
    std::int64_t m_newCells = 0; // since takeUse()
    std::int64_t m_diskBytes = 0;
    std::int64_t m_diskLimit = 0;
    artifacts::ArtifactOrigin m_origin; // of the cell that runs, or ran last
    std::unique_ptr<sandbox::egress::EgressProxy> m_egress; // null: it has no network
    std::shared_ptr<sandbox::egress::EgressBudget> m_egressBudget; // of all proxies that it has in its life
    Live m_live; // null: the next cell starts one
    std::string m_state = "starting";
    std::string m_sandboxName;
    bool m_namesLost = false; // to be said with the next cell
    std::string m_idleOutput; // while no code ran, for what runs next
    std::vector<Frame> m_idleShown;
    std::size_t m_idleShownBytes = 0;
    int m_terminals = 0; // that are open
    bool m_hadTerminal = false; // in this sandbox: nobody knows what was done there
    SteadyTime m_staysUntil{}; // it could not be set aside: that is not tried again before
    std::vector<SnapshotId> m_asleep; // as they were known when the line was last given back
    // Belongs to the thread that calls tick():
    int m_ticks = 0;
    // Belongs to who holds the line:
    enum class Loss { None, Names, Sandbox, MadeRoom, EarlierSession };
    Loss m_loss = Loss::None; // not made good yet
    bool m_isNew = false; // and nothing has run in it; belongs to who holds the line
    ArtifactIntake m_intake;
    SessionRewind m_rewind;
};

} // namespace sg::sessions
