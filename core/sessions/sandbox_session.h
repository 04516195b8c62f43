#pragma once

#include "core/base/clock.h"
#include "core/sandbox/sandbox.h"
#include "core/sessions/artifact_intake.h"
#include "core/sessions/cell_line.h"
#include "core/sessions/session.h"
#include "core/sessions/session_journal.h"
#include "core/sessions/session_manager.h"
#include "core/sessions/session_rewind.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace sg::sessions {

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
    SnapshotStored snapshotStored{};
    std::filesystem::path snapshots; // folder of snapshots' file contents; empty: none are taken
};

// A Session over one sandbox at a time: when that dies, the next cell starts another.
class SandboxSession final : public Session {
public:
    using Listener = std::function<void(SessionEvent::Kind, const SessionInfo&, const std::string& text)>;

    // `folder`: of a BIND session.
    SandboxSession(SessionParts parts, std::optional<SessionFolder> folder, Listener listener);
    ~SandboxSession() override;

    // Before anything else, one of them.
    Result<void> start();
    Result<void> attach(const sandbox::FoundSandbox& found);

    [[nodiscard]] SessionInfo info() const override;
    CellResult runCell(const std::string& code, const CellLimits& limits,
                       const artifacts::ArtifactOrigin& origin, const CellHandlers& handlers,
                       std::stop_token stop) override;
    CellResult call(const FunctionCall& call, const CellLimits& limits,
                    const artifacts::ArtifactOrigin& origin, const CellHandlers& handlers,
                    std::stop_token stop) override;
    Result<sandbox::ResourceSample> sample() override;
    std::shared_ptr<RunnerLink> link() override;
    void end() override;

    [[nodiscard]] const SessionSpec& spec() const { return m_parts.spec; }
    [[nodiscard]] bool hasEnded() const { return m_ended; }
    // Lets go of a kept session's sandbox, which goes on without this process.
    void leave();
    // About once a second, by the session's owner: takes in what the session printed between cells, notices
    // its death, ends a runner that does not read.
    void tick();

private:
    using Live = std::shared_ptr<LiveSandbox>;

    Result<void> adopt(std::unique_ptr<sandbox::Sandbox> sandbox);
    struct Work {
        ValueMap request;
        SessionWorld* world = nullptr;
        CallSite caller{};
        bool keepsFailed = false;
    };
    CellResult execute(Work work, const CellLimits& limits, const artifacts::ArtifactOrigin& origin,
                       const CellHandlers& handlers, std::stop_token stop);
    CellResult executeNow(Work work, const CellLimits& limits, const artifacts::ArtifactOrigin& origin,
                          const CellHandlers& handlers, const std::stop_token& stop);
    CellHandlers withTools(const CellHandlers& handlers, const CellLimits& limits,
                           const std::stop_token& stop);
    // With the line, before and after the code of a call.
    std::optional<CellError> enterWorld(LiveSandbox& live, const Work& work, CellResult& result);
    void leaveWorld(LiveSandbox& live, const Work& work, const CellResult& result);
    Result<Live> ensureLive(const CellLimits& limits, const CellHandlers& handlers);
    CellResult lost(const Live& live, CellResult soFar);
    // Takes a dead sandbox out, once; says why it died.
    void storeSnapshots();
    std::optional<CellError> bury(const Live& live);
    void takeIdleFrame(const Frame& frame);
    [[nodiscard]] Live current() const;
    Live takeOut(); // once, for good
    void setState(const std::string& state);

    const SessionParts m_parts;
    const Listener m_listener;
    const std::string m_createdAt;
    SessionJournal m_journal; // has its own lock
    CellLine m_line; // has its own lock
    std::atomic<bool> m_ended = false;

    mutable std::mutex m_mutex;
    // Guarded by m_mutex:
    Live m_live; // null: the next cell starts one
    std::string m_state = "starting";
    std::string m_sandboxName;
    bool m_namesLost = false; // to be said with the next cell
    std::string m_idleOutput;
    // Belongs to who holds the line:
    ArtifactIntake m_intake;
    SessionRewind m_rewind;
};

} // namespace sg::sessions
