#include "core/sessions/live/sandbox_session.h"
#include "core/sessions/runner/cell_frames.h"
#include "core/sessions/runner/live_sandbox.h"

#include <algorithm>
#include <utility>

// What a session's owner does beside its cells: samples, limits, pauses, looking after it once a second.
namespace sg::sessions {
namespace {

constexpr Millis kWriteTime{ 60'000 };
constexpr Millis kLookTime{ 300 };
constexpr Millis kVariablesTime{ 2000 };
constexpr Millis kHandOverTime{ 3000 };
constexpr Millis kOrphanTime{ 3000 };

} // namespace

// An older runner does not know it, and keeps the time that it was started with.
void tellOrphanTime(RunnerLink& link, std::chrono::milliseconds fromNow, std::chrono::milliseconds idle)
{
    const bool waitsForEver = idle == idle.zero();
    const auto time = waitsForEver ? idle : std::max(fromNow, idle);
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(time).count();
    static_cast<void>(link.ask({ { "op", "orphan" }, { "seconds", std::max<std::int64_t>(seconds, 0) } },
                               "orphan", kOrphanTime));
}

Result<sandbox::ResourceSample> SandboxSession::sample()
{
    const Live live = current();
    if (!live)
        return Error{ Errc::Unavailable, "session " + m_parts.id.value + " has no sandbox now" };
    auto sample = live->sandbox().sample();
    if (!sample)
        return sample;
    live->note(*sample);
    const std::lock_guard lock(m_mutex);
    sample->diskBytes = m_diskBytes;
    sample->diskLimit = m_diskLimit;
    return sample;
}

SessionSpec SandboxSession::spec() const
{
    SessionSpec spec = m_parts.spec;
    const std::lock_guard lock(m_mutex);
    spec.limits = m_askedLimits;
    spec.lifetime = m_lifetime;
    return spec;
}

Result<void> SandboxSession::askLimits(const sandbox::Limits& limits)
{
    if (auto set = setLimits(limits); !set)
        return set;
    const std::lock_guard lock(m_mutex);
    m_askedLimits = limits;
    return {};
}

// A kept one ends by itself where nobody comes back to it; not before this.
void SandboxSession::extend(std::chrono::milliseconds fromNow)
{
    const Live live = current();
    if (live && m_parts.spec.keep && !live->link().failure() && !live->sandbox().isPaused())
        tellOrphanTime(live->link(), fromNow, spec().lifetime.idle);
}

void SandboxSession::setLifetime(const Lifetime& lifetime)
{
    const std::lock_guard lock(m_mutex);
    m_lifetime = lifetime;
}

sandbox::Limits SandboxSession::limits() const
{
    const std::lock_guard lock(m_mutex);
    return m_limits;
}

SandboxSession::Use SandboxSession::takeUse()
{
    const std::lock_guard lock(m_mutex);
    const bool isBusy = m_state == "busy";
    if (isBusy || m_state == "paused") // in which it could not be used
        m_lastUsed = m_parts.clock->now();
    return { m_lastUsed, std::exchange(m_newCells, 0), isBusy };
}

Result<void> SandboxSession::pause()
{
    const CellLine::Turn turn(m_line);
    if (!turn)
        return Error{ Errc::Conflict,
                      "session " + m_parts.id.value + " runs a cell; stop it, or wait until it is done" };
    const Live live = current();
    if (!live)
        return Error{ Errc::Unavailable, "session " + m_parts.id.value + " has no sandbox now" };
    if (m_rewind.isOn())
        m_rewind.storeNewest(kHandOverTime); // it may never wake again
    if (auto paused = live->sandbox().pause(); !paused)
        return paused;
    setState("paused");
    m_journal.noted("session_paused");
    m_listener(SessionEvent::Kind::Paused, info(),
               "the session is paused: it keeps its memory and uses no CPU");
    return {};
}

Result<void> SandboxSession::unpause()
{
    const Live live = current();
    if (!live)
        return Error{ Errc::Unavailable, "session " + m_parts.id.value + " has no sandbox now" };
    if (auto woken = live->sandbox().unpause(); !woken)
        return woken;
    {
        const std::lock_guard lock(m_mutex);
        if (m_state == "paused")
            m_state = "idle";
        m_lastUsed = m_parts.clock->now(); // or its idle time would be over at once
    }
    m_journal.noted("session_unpaused");
    m_listener(SessionEvent::Kind::Unpaused, info(), "the session goes on");
    return {};
}

Result<void> SandboxSession::setLimits(const sandbox::Limits& limits)
{
    if (const Live live = current())
        if (auto set = live->sandbox().setLimits(limits); !set)
            return set;
    {
        const std::lock_guard lock(m_mutex);
        m_limits.memoryBytes = limits.memoryBytes;
        m_limits.pids = limits.pids;
        m_limits.cpus = limits.cpus;
    }
    m_listener(SessionEvent::Kind::LimitsChanged, info(), "its limits are changed");
    return {};
}

void SandboxSession::tick()
{
    const Live live = current();
    if (!live)
        return;
    if (live->link().writeHangs(kWriteTime))
        live->link().close({ Errc::Timeout, "its runner does not read what it is sent" });
    live->link().pump();
    if (!live->sandbox().isPaused() && !live->link().failure()) {
        lookAtFiles(*live);
        noteVariables(*live);
    }
    if (m_rewind.isOn())
        if (const CellLine::Turn turn(m_line); turn && current() == live)
            noteAsleep(); // what was written out has left
    m_journal.saveIfChanged();
    if (!live->link().failure())
        return;
    // Only between cells; whoever runs one sees it too, and must be able to say why.
    const CellLine::Turn turn(m_line);
    if (turn)
        bury(live);
}

// How full its folder is. The runner counts a tmpfs; a folder of this machine is walked, now and then.
void SandboxSession::lookAtFiles(LiveSandbox& live)
{
    constexpr int kEvery = 10;
    std::int64_t used = 0;
    std::int64_t limit = 0;
    if (m_journal.isKept()) {
        limit = limits().tmpfsBytes;
        const bool isFilling = diskBytes() > limit / 2;
        if (m_ticks++ % kEvery != 0 && !isFilling)
            return;
        used = m_journal.folderBytes();
        // Between cells nobody is there to be told; what goes on writing then is ended.
        if (const CellLine::Turn turn(m_line);
            turn && used > 2 * limit && used > diskBytes() && diskBytes() > limit)
            live.link().close({ Errc::LimitExceeded,
                                "processes that its code left behind fill its folder: it holds "
                                    + byteText(used) + ", its limit is " + byteText(limit) });
    } else {
        const auto stats = live.link().ask({ { "op", "stats" } }, "stats", kLookTime);
        if (!stats)
            return;
        used = stats->body["session"].intOr("used", 0);
        limit = stats->body["session"].intOr("total", 0);
    }
    const std::lock_guard lock(m_mutex);
    m_diskBytes = std::max<std::int64_t>(used, 0);
    m_diskLimit = std::max<std::int64_t>(limit, 0);
}

// python_state.json of a BIND session, after cells and between them.
void SandboxSession::noteVariables(LiveSandbox& live)
{
    // The turn first: a cell that ends says that there is something new before it lets go of its own.
    const CellLine::Turn turn(m_line);
    if (!turn || !m_journal.wantsVariables())
        return;
    if (const auto answer = live.link().ask({ { "op", "variables" } }, "variables", kVariablesTime))
        m_journal.saveVariables(answer->body);
}

void SandboxSession::noteLastVariables()
{
    const Live live = current();
    if (live && !live->link().failure() && !live->sandbox().isPaused())
        noteVariables(*live);
}

} // namespace sg::sessions
