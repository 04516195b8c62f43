#pragma once

#include "core/base/guarded.h"
#include "core/sessions/cell_line.h"
#include "core/sessions/live/artifact_intake.h"
#include "core/sessions/live/beside_calls.h"
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

// Sets how long a kept session's runner goes on without a host from now on; 0: for ever.
void tellOrphanTime(RunnerLink& link, std::chrono::milliseconds fromNow, std::chrono::milliseconds idle);

// The options that the runner gets with its first hello.
ValueMap helloOptions(const SessionSpec& spec);

// A Session with one sandbox at a time: when that dies, the next cell starts another.
class SandboxSession final : public Session {
public:
    using Listener = std::function<void(SessionEvent::Kind, const SessionInfo&, const std::string& text)>;

    // `folder`: only for a BIND session.
    SandboxSession(SessionParts parts, std::optional<SessionFolder> folder, Listener listener);
    ~SandboxSession() override;

    // One of these three is called before anything else. A stop ends the wait for secrets.
    Result<void> start(const std::stop_token& stop = {});
    Result<void> attach(const sandbox::FoundSandbox& found);
    Result<void> adoptAhead(std::unique_ptr<sandbox::Sandbox> sandbox, SessionEgress egress); // from the pool

    // Errc::Conflict while a cell runs. A paused session wakes when its next cell comes.
    Result<void> pause();
    Result<void> unpause();
    // Changes memory, processes and CPUs from now on. Errc::Unsupported where the backend cannot.
    Result<void> setLimits(const sandbox::Limits& limits);
    // Does the same for a spec that asks for other limits than before.
    Result<void> askLimits(const sandbox::Limits& limits);
    void setLifetime(const Lifetime& lifetime) { m_limits.setLifetime(lifetime); }
    void extend(std::chrono::milliseconds fromNow);
    // Takes the session's place in the host's budget, which is released when its sandbox ends; `again` gets
    // one for the next sandbox.
    void hold(HostBudget::Place place, PlaceSource again)
    {
        m_place.hold(std::move(place), std::move(again));
    }
    // The end of the last cell; nullopt while a cell runs or where the session holds no place.
    [[nodiscard]] std::optional<WallTime> idleSince() const;
    // Ends the sandbox and releases the place; the next cell starts another sandbox and brings the session
    // back to where it stood. False: a cell runs, there is no sandbox, or the session could not be brought
    // back.
    bool makeRoom(const std::string& why);
    // Starts a sandbox, as the next cell would, where the session had made room. True: it had.
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
    CellResult runIn(ExtraInterpreter& interpreter, const std::string& code,
                     const artifacts::ArtifactOrigin& origin, const CellHandlers& handlers,
                     std::stop_token stop) override;
    CellResult call(const FunctionCall& call, const CellLimits& limits,
                    const artifacts::ArtifactOrigin& origin, const CellHandlers& handlers,
                    std::stop_token stop) override;
    Result<sandbox::ResourceSample> sample() override;
    std::shared_ptr<RunnerLink> link() override;
    void noteTerminal(Terminal change) override;
    void end() override;
    void end(const std::string& why); // "it was idle for 45 min"

    // The spec with limits and lifetime as they were last asked for; info() has the limits in force.
    [[nodiscard]] SessionSpec spec() const { return m_limits.askedFor(m_parts.spec); }
    [[nodiscard]] bool hasEnded() const { return m_ended; }
    // Gives up a kept session's sandbox, which goes on without this process.
    void leave();
    // The session's owner calls this about once a second: it takes in what the session printed between cells,
    // notices its death and ends a runner that does not read.
    void tick();

private:
    using Live = LossRepair::Live;

    // session_execution.cpp: cells and calls
    CellResult execute(CellWork work, const CellLimits& limits, const artifacts::ArtifactOrigin& origin,
                       const CellHandlers& handlers, std::stop_token stop);
    // The conditions of a cell: its limits, the source of its artifacts, its listener, and its turn.
    struct CellRun {
        const CellLimits& limits;
        const artifacts::ArtifactOrigin& origin;
        const CellHandlers& handlers;
        const std::stop_token& stop;
        CellLine::Turn& turn;
        std::optional<BesideCalls::Place>& place;
    };
    static SessionAsker askerFor(const CellWork& work, const CellRun& run);
    void tellLoss(const CellResult& before, const CellWork& work, const CellRun& run);
    CellResult executeTurn(CellWork work, const CellRun& run);
    CellResult executeClean(CellWork work, const CellRun& run);
    CellResult executeNow(CellWork work, const CellRun& run);
    // nullopt: it must run alone.
    std::optional<CellResult> executeBeside(CellWork& work, const CellRun& run);
    CellResult runBeside(const Live& live, CellWork& work, const CellRun& run, CellResult before);
    void joinBeside(const Live& live, const CellWork& work, const CellRun& run, const CellFrames& frames,
                    CellResult& result);
    CellResult runFrames(const Live& live, ValueMap request, const CellRun& run, CellFrames& frames,
                         const std::function<void()>& whileWaiting);
    void countCell();
    CellHandlers withTools(const CellHandlers& handlers, const CellLimits& limits,
                           const artifacts::ArtifactOrigin& origin, const std::stop_token& stop);
    void collectArtifacts(const Live& live, const artifacts::ArtifactOrigin& origin,
                          const CellHandlers& handlers, const std::stop_token& stop, CellResult& result);
    // Reports that code was stopped because it filled its folder.
    void tellDiskFull(const FolderSize& used, const sandbox::Limits& limits, CellResult& result);
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
    // Removes a dead sandbox, once, and returns why it died.
    std::optional<CellError> bury(const Live& live);
    [[nodiscard]] bool isTakenOver(LiveSandbox& live) const;
    CellError letGo();
    void storeSnapshots();
    // Removes the sandbox for good, once. The caller releases the place after the sandbox has ended.
    Live takeOut(const std::string& why, HostBudget::Place& place);
    [[nodiscard]] Live current() const;
    void setState(const SessionState& state);

    // session_upkeep.cpp: all else
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
    bool m_isTakenUp = false; // set by attach(), before anybody else has the session
    // Each has its own lock, under which it calls nothing else:
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
    std::string m_idleOutput; // printed while no code ran; the next cell gets it
    std::vector<Frame> m_idleShown;
    std::size_t m_idleShownBytes = 0;
    // Belong to the holder of the line:
    ArtifactIntake m_intake;
    LossRepair m_repair;
    BesideCalls m_beside; // has its own locks
};

} // namespace sg::sessions
