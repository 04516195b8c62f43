#pragma once

#include "core/base/guarded.h"
#include "core/sessions/cell_line.h"
#include "core/sessions/live/artifact_intake.h"
#include "core/sessions/live/loss_repair.h"
#include "core/sessions/live/session_limits_now.h"
#include "core/sessions/live/session_network.h"
#include "core/sessions/live/session_parts.h"
#include "core/sessions/live/session_place.h"
#include "core/sessions/records/session_journal.h"
#include "core/sessions/runner/frame.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

namespace sg::sessions {

class CellFrames;

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
    void setLifetime(const Lifetime& lifetime) { m_limits.setLifetime(lifetime); }
    void extend(std::chrono::milliseconds fromNow);
    // Its place in the host's budget, given back when its sandbox ends; `again`: for the next one.
    void hold(HostBudget::Place place, PlaceSource again)
    {
        m_place.hold(std::move(place), std::move(again));
    }
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

    // As it was asked for last; info() tells the limits that hold.
    [[nodiscard]] SessionSpec spec() const { return m_limits.askedFor(m_parts.spec); }
    [[nodiscard]] bool hasEnded() const { return m_ended; }
    // Lets go of a kept session's sandbox, which goes on without this process.
    void leave();
    // About once a second, by the session's owner: takes in what the session printed between cells, notices
    // its death, ends a runner that does not read.
    void tick();

private:
    using Live = LossRepair::Live;

    // session_execution.cpp: cells and calls
    CellResult execute(CellWork work, const CellLimits& limits, const artifacts::ArtifactOrigin& origin,
                       const CellHandlers& handlers, std::stop_token stop);
    CellResult executeNow(CellWork work, const CellLimits& limits, const artifacts::ArtifactOrigin& origin,
                          const CellHandlers& handlers, const std::stop_token& stop);
    CellResult executeClean(CellWork work, const CellLimits& limits, const artifacts::ArtifactOrigin& origin,
                            const CellHandlers& handlers, const std::stop_token& stop);
    CellHandlers withTools(const CellHandlers& handlers, const CellLimits& limits,
                           const artifacts::ArtifactOrigin& origin, const std::stop_token& stop);
    void collectArtifacts(const Live& live, const artifacts::ArtifactOrigin& origin,
                          const CellHandlers& handlers, const std::stop_token& stop, CellResult& result);
    // Of code that was stopped because it filled its folder.
    void tellDiskFull(std::int64_t used, const sandbox::Limits& limits, CellResult& result);
    void takeIdleFrame(const Frame& frame);
    void showIdle(CellFrames& frames, RunnerLink& link);
    Result<Live> ensureLive(const CellLimits& limits, const CellHandlers& handlers,
                            const SessionAsker& asker);
    CellResult lost(const Live& live, CellResult soFar);

    // sandbox_session.cpp: its sandboxes, from the first start to the end
    Result<void> adopt(std::unique_ptr<sandbox::Sandbox> sandbox, bool wasStartedAhead = false,
                       const std::stop_token& stop = {});
    Result<void> bringSecrets(LiveSandbox& live, const std::stop_token& stop) const;
    Result<void> startAgain(const SessionAsker& asker);
    // Takes a dead sandbox out, once; says why it died.
    std::optional<CellError> bury(const Live& live);
    [[nodiscard]] bool isTakenOver(LiveSandbox& live) const;
    CellError letGo();
    void storeSnapshots();
    // Once, for good. The place is the caller's to give back once the sandbox has ended.
    Live takeOut(const std::string& why, HostBudget::Place& place);
    [[nodiscard]] Live current() const;
    void setState(const SessionState& state);

    // session_upkeep.cpp: beside its cells
    [[nodiscard]] bool setAside(const Live& live);
    void lookAtFiles(LiveSandbox& live);
    void noteVariables(LiveSandbox& live);
    void noteLastVariables(); // of a session that lived for less than a tick, too

    struct Uses {
        WallTime last;
        std::int64_t cells = 0;
        std::int64_t newCells = 0; // since takeUse()
        int terminals = 0; // that are open
    };
    const SessionParts m_parts;
    const Listener m_listener;
    const WallTime m_startedAt;
    const SessionAudit m_audit;
    // Each has its own lock, in which it calls nothing:
    SessionJournal m_journal;
    CellLine m_line;
    SessionNetwork m_network;
    SessionPlace m_place;
    SessionLimitsNow m_limits;
    Guarded<Uses> m_uses;
    std::atomic<bool> m_ended = false;

    mutable std::mutex m_mutex;
    // Guarded by m_mutex:
    Live m_live; // null: the next cell starts one
    SessionState m_state;
    std::string m_sandboxName;
    std::string m_idleOutput; // while no code ran, for what runs next
    std::vector<Frame> m_idleShown;
    std::size_t m_idleShownBytes = 0;
    // Belong to who holds the line:
    ArtifactIntake m_intake;
    LossRepair m_repair;
};

} // namespace sg::sessions
