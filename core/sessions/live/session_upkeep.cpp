#include "core/sessions/live/sandbox_session.h"
#include "core/sessions/runner/cell_frames.h"
#include "core/sessions/runner/live_sandbox.h"

#include <algorithm>
#include <utility>

// The parts of a session besides its cells: samples, limits, pauses, making room for another session, and a
// check once a second.
namespace sg::sessions {
namespace {

constexpr Millis kWriteTime{ 60'000 };
constexpr Millis kLookTime{ 300 };
constexpr Millis kVariablesTime{ 2000 };
constexpr Millis kHandOverTime{ 3000 };
constexpr Millis kOrphanTime{ 3000 };

} // namespace

// An older runner does not know this request, and keeps the time that it was started with.
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
    const SessionLimitsNow::Disk disk = m_limits.disk();
    sample->diskBytes = disk.used;
    sample->diskLimit = disk.limit;
    return sample;
}

Result<void> SandboxSession::askLimits(const sandbox::Limits& limits)
{
    if (auto set = setLimits(limits); !set)
        return set;
    m_limits.ask(limits);
    return {};
}

// A kept session ends by itself where nobody comes back to it, but not before this time.
void SandboxSession::extend(std::chrono::milliseconds fromNow)
{
    const Live live = current();
    if (live && m_parts.spec.keep && !live->link().failure() && !live->sandbox().isPaused())
        tellOrphanTime(live->link(), fromNow, spec().lifetime.idle);
}

SandboxSession::Use SandboxSession::takeUse()
{
    const SessionState state = [this] {
        const std::lock_guard lock(m_mutex);
        return m_state;
    }();
    const bool isBusy = state.is(SessionState::Kind::Busy);
    const auto uses = m_uses.lock();
    if (isBusy || state.is(SessionState::Kind::Paused)) // a paused session cannot be used, so it is not idle
        uses->last = m_parts.clock->now();
    return { uses->last, std::exchange(uses->newCells, 0), isBusy };
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
    if (m_repair.rewind().isOn())
        m_repair.rewind().storeNewest(kHandOverTime); // a paused session may never wake again
    if (auto paused = live->sandbox().pause(); !paused)
        return paused;
    setState(SessionState::Kind::Paused);
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
    m_uses.lock()->last = m_parts.clock->now(); // else its idle time would be over at once
    {
        const std::lock_guard lock(m_mutex);
        if (m_state.is(SessionState::Kind::Paused))
            m_state = SessionState::Kind::Idle;
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
    m_limits.set(limits);
    m_listener(SessionEvent::Kind::LimitsChanged, info(), "its limits are changed");
    return {};
}

void SandboxSession::noteTerminal(Terminal change)
{
    const bool isOpened = change == Terminal::Opened;
    if (isOpened) // first: who finds no open terminal must know that there was one
        m_repair.noteTerminal();
    {
        const auto uses = m_uses.lock();
        uses->terminals = std::max(0, uses->terminals + (isOpened ? 1 : -1));
    }
    m_audit.terminal(isOpened ? audit::Outcome::Opened : audit::Outcome::Closed);
}

std::optional<WallTime> SandboxSession::idleSince() const
{
    {
        const std::lock_guard lock(m_mutex);
        if (!m_live || m_state.is(SessionState::Kind::Busy))
            return std::nullopt;
    }
    if (!m_place.isHeld() || m_place.stays())
        return std::nullopt;
    const auto uses = m_uses.lock();
    return uses->terminals > 0 ? std::nullopt : std::optional(uses->last);
}

// The caller holds the line. False: something would be lost with the sandbox, which goes on as it was.
bool SandboxSession::setAside(const Live& live)
{
    if (!m_repair.rewind().isOn())
        return m_uses.lock()->cells == 0 && !live->wasFound() && !m_repair.hadTerminal()
            && live->link().touches().byHand == 0;
    const bool wasPaused = live->sandbox().isPaused();
    if (wasPaused && !live->sandbox().unpause())
        return false;
    if (m_repair.setAside(live))
        return true;
    if (wasPaused && !live->sandbox().pause())
        setState(SessionState::Kind::Idle);
    return false;
}

bool SandboxSession::makeRoom(const std::string& why)
{
    noteLastVariables();
    HostBudget::Place place; // released after the sandbox has ended
    const CellLine::Turn turn(m_line);
    const Live live = turn ? current() : nullptr;
    if (!live)
        return false;
    const auto isAnothers = [&] {
        if (m_parts.spec.keep)
            live->link().pump();
        return isTakenOver(*live);
    };
    if (live->link().failure() || isAnothers())
        return bury(live).has_value();
    m_place.setMadeRoom(true); // callers wait from now on, and start another sandbox
    const bool isAside = setAside(live);
    if (isAnothers() || (!isAside && live->link().failure())) {
        m_place.setMadeRoom(false);
        return bury(live).has_value();
    }
    if (!isAside) {
        m_place.setMadeRoom(false);
        m_place.stay();
        return false;
    }
    m_repair.madeRoom();
    {
        const std::lock_guard lock(m_mutex);
        if (m_live != live) { // it was ended meanwhile
            m_place.setMadeRoom(false);
            return false;
        }
        m_live = nullptr;
        m_repair.forgetAsleep();
        m_repair.forgetTerminal();
        m_state = SessionState::ended(why);
        place = m_place.give();
    }
    m_repair.rewind().letGo();
    live->link().close({ Errc::Cancelled, why });
    live->sandbox().end();
    m_network.end();
    m_journal.stopped(info());
    m_listener(SessionEvent::Kind::Ended, info(), why);
    return true;
}

Result<bool> SandboxSession::wake(const SessionAsker& asker)
{
    if (!m_place.hasMadeRoom())
        return false;
    const CellLine::Turn turn(m_line, asker.stop);
    if (!turn)
        return Error{ Errc::Cancelled, "stopped while session " + m_parts.id.value + " was busy" };
    const auto live = ensureLive({}, {}, asker);
    if (live && m_repair.rewind().isOn())
        m_repair.rewind().use(*live); // in the new sandbox no copy sleeps
    return live ? Result<bool>(true) : live.error();
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
    if (m_repair.rewind().isOn())
        if (const CellLine::Turn turn(m_line); turn && current() == live) {
            m_repair.noteAsleep(); // copies that were written out are gone
            if (!live->sandbox().isPaused() && !live->link().wasSuperseded())
                m_repair.keepMark(live); // a terminal or an upload may have changed it
        }
    m_journal.saveIfChanged();
    if (!live->link().failure())
        return;
    // Only between cells: the thread that runs a cell notices the failure too, and must be able to say why.
    const CellLine::Turn turn(m_line);
    if (turn)
        bury(live);
}

// Notes how full its folder is. The runner measures a tmpfs; a folder on this machine is walked, now and
// then.
void SandboxSession::lookAtFiles(LiveSandbox& live)
{
    SessionLimitsNow::Disk disk;
    if (m_journal.isKept()) {
        if (!m_limits.isDiskDue())
            return;
        const std::int64_t before = m_limits.disk().used;
        const FolderSize size = m_journal.folderSize();
        disk = { size.bytes, m_limits.now().tmpfsBytes };
        // Between cells nobody can be told, so processes that go on writing are ended.
        if (const CellLine::Turn turn(m_line); turn
            && (!size.isWhole || (disk.used > 2 * disk.limit && disk.used > before && before > disk.limit)))
            live.link().close(
                { Errc::LimitExceeded,
                  "processes that its code left behind fill its folder: it "
                      + (size.isWhole ? "holds " + byteText(disk.used) : std::string("cannot be measured"))
                      + ", its limit is " + byteText(disk.limit) });
    } else {
        const auto stats = live.link().ask({ { "op", "stats" } }, "stats", kLookTime);
        if (!stats)
            return;
        disk = { stats->body["session"].intOr("used", 0), stats->body["session"].intOr("total", 0) };
    }
    m_limits.noteDisk(disk);
}

// Saves python_state.json of a BIND session, after cells and between them.
void SandboxSession::noteVariables(LiveSandbox& live)
{
    // The turn is taken first: a cell that ends marks the variables as changed before it releases its turn.
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
