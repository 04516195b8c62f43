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

// LiveSandbox is a running sandbox and the link to its runner. It is shared, so that a sample or a tick can
// finish with it when the session already has another. Only the holder of the session's line calls greet()
// and run(); several that share it may call run() at once.
class LiveSandbox {
public:
    // `options`: sent with the first hello (roots, preload).
    LiveSandbox(std::unique_ptr<sandbox::Sandbox> started, const sandbox::Limits& limits, ValueMap options,
                RunnerLink::IdleListener idle);

    [[nodiscard]] sandbox::Sandbox& sandbox() { return *m_sandbox; }
    [[nodiscard]] RunnerLink& link() { return m_link; }

    // Called before the first cell; does nothing unless a limit that the runner knows has changed.
    Result<void> greet(const CellLimits& limits);

    // A unique name of its runner, once greeted. Empty: the runner does not tell.
    [[nodiscard]] const std::string& incarnation() const { return m_incarnation; }
    // An earlier process had greeted its runner before.
    [[nodiscard]] bool wasFound() const { return m_wasFound; }
    // Its runner can leave a copy of the interpreter right after a call.
    [[nodiscard]] bool copiesAfterCalls() const { return m_copiesAfterCalls; }
    // Its runner can run calls beside each other.
    [[nodiscard]] bool runsBeside() const { return m_runsBeside; }
    void wasStartedAhead() { m_wasFound = false; } // only the pool has greeted it, which ran nothing

    // Runs one cell or call. nullopt: the sandbox is lost, causeOfDeath() says why, and `frames` has what
    // came before. A runner that does not report in time after the deadline or a stop loses its sandbox.
    // `whileWaiting` is called now and then; may be empty.
    std::optional<CellResult> run(ValueMap request, const CellLimits& limits, CellFrames& frames,
                                  const std::stop_token& stop,
                                  const std::function<void()>& whileWaiting = {});

    // Requires that the link has ended. Waits a moment for an engine to know why.
    CellError causeOfDeath();

    // The limits for messages when memory runs out. Belongs to the holder of the session's line.
    void setLimits(const sandbox::Limits& limits)
    {
        m_limits = limits;
        m_memoryBytes = limits.memoryBytes;
    }
    [[nodiscard]] const sandbox::Limits& limits() const { return m_limits; }
    [[nodiscard]] std::int64_t memoryBytes() const { return m_memoryBytes; } // any thread
    // Notes a sample, on any thread, so that processes killed for memory between two cells are not taken for
    // the next cell's.
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
    bool m_runsBeside = false;
    std::int64_t m_outputLimit = -1; // what the runner was told last
    std::int64_t m_stateLimit = -1; // likewise
    // Processes killed for memory before the current cell, not all of which run code.
    std::atomic<std::int64_t> m_oomKills = 0;
    std::atomic<int> m_running = 0; // cells and calls
};

} // namespace sg::sessions
