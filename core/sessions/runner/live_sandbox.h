#pragma once

#include "core/sandbox/sandbox.h"
#include "core/sessions/runner/cell_frames.h"
#include "core/sessions/runner/runner_link.h"
#include "core/sessions/session.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>

namespace sg::sessions {

// A running sandbox and the link to its runner. Shared, so that a sample or a tick can end what it does with
// it while the session already has another. greet() and run() belong to who holds the session's line.
class LiveSandbox {
public:
    // `options`: of the first hello (roots, preload).
    LiveSandbox(std::unique_ptr<sandbox::Sandbox> started, const sandbox::Limits& limits, ValueMap options,
                RunnerLink::IdleListener idle);

    [[nodiscard]] sandbox::Sandbox& sandbox() { return *m_sandbox; }
    [[nodiscard]] RunnerLink& link() { return m_link; }

    // Before the first cell, and again where the output limit changes. Does nothing where it is the same.
    Result<void> greet(const CellLimits& limits);

    // Of the runner in it, once greeted; a name that no other has. Empty: it does not tell.
    [[nodiscard]] const std::string& incarnation() const { return m_incarnation; }
    // Its runner had been greeted before, by an earlier process.
    [[nodiscard]] bool wasFound() const { return m_wasFound; }
    // Its runner can leave a copy of the interpreter right after a call.
    [[nodiscard]] bool copiesAfterCalls() const { return m_copiesAfterCalls; }
    void wasStartedAhead() { m_wasFound = false; } // greeted by the pool alone, which ran nothing

    // One cell or call. nullopt: the sandbox is lost, causeOfDeath() says why; what came before is in
    // `frames`. A runner that does not report in time after the deadline or a stop loses its sandbox.
    // `whileWaiting` is called now and then; may be empty.
    std::optional<CellResult> run(ValueMap request, const CellLimits& limits, CellFrames& frames,
                                  const std::stop_token& stop,
                                  const std::function<void()>& whileWaiting = {});

    // Of a link that has ended. Waits a moment for an engine to know.
    CellError causeOfDeath();

    // For what is said when memory runs out. Belongs to who holds the session's line.
    void setLimits(const sandbox::Limits& limits)
    {
        m_limits = limits;
        m_memoryBytes = limits.memoryBytes;
    }
    [[nodiscard]] const sandbox::Limits& limits() const { return m_limits; }
    [[nodiscard]] std::int64_t memoryBytes() const { return m_memoryBytes; } // any thread
    // What was measured of it, on any thread: what was ended for memory between two cells is no cell's death.
    void note(const sandbox::ResourceSample& sample);

private:
    void dropOlderCells(const Value& ready);
    CellResult checkedForMemory(CellResult result, bool wasKilled);

    sandbox::Limits m_limits;
    std::atomic<std::int64_t> m_memoryBytes;
    const ValueMap m_options;
    const std::unique_ptr<sandbox::Sandbox> m_sandbox;
    RunnerLink m_link;
    std::string m_incarnation;
    bool m_wasFound = false;
    bool m_copiesAfterCalls = false;
    std::int64_t m_outputLimit = -1; // what the runner was told last
    std::int64_t m_stateLimit = -1; // the same
    // Of its processes, not all of which run code: as known before the cell that runs.
    std::atomic<std::int64_t> m_oomKills = 0;
    std::atomic<bool> m_isRunning = false;
};

} // namespace sg::sessions
