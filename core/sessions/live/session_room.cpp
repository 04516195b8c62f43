#include "core/sessions/live/sandbox_session.h"
#include "core/sessions/runner/live_sandbox.h"

#include <chrono>
#include <utility>

// A session's place in the host's budget: held while it has a sandbox, given up for another session, and
// taken again.
namespace sg::sessions {
namespace {

using std::chrono::steady_clock;

constexpr Millis kStoreForRoomTime{ 10'000 };
constexpr std::chrono::seconds kStays{ 30 }; // where it could not be set aside

} // namespace

void SandboxSession::hold(HostBudget::Place place, PlaceSource again)
{
    const std::lock_guard lock(m_mutex);
    m_place = std::move(place);
    m_placeAgain = std::move(again);
}

std::optional<WallTime> SandboxSession::idleSince() const
{
    const std::lock_guard lock(m_mutex);
    if (!m_place || !m_live || m_state == "busy" || m_terminals > 0 || steady_clock::now() < m_staysUntil)
        return std::nullopt;
    return m_lastUsed;
}

// With the line. False: it has what would be gone with its sandbox, which goes on as it was.
bool SandboxSession::setAside(const Live& live)
{
    bool hadTerminal = false;
    {
        const std::lock_guard lock(m_mutex);
        hadTerminal = m_hadTerminal;
        if (!m_rewind.isOn())
            return m_cells == 0 && !live->wasFound() && !hadTerminal && live->link().touches().byHand == 0;
        if (m_namesLost && m_loss == Loss::None) // between calls
            m_loss = Loss::Names;
    }
    const bool wasPaused = live->sandbox().isPaused();
    if (wasPaused && !live->sandbox().unpause())
        return false;
    m_rewind.use(live);
    if (hadTerminal)
        m_rewind.changes(true);
    const auto here = m_loss == Loss::None ? SessionRewind::Here::All
        : m_loss == Loss::Names            ? SessionRewind::Here::Files
                                           : SessionRewind::Here::Nothing;
    const bool isUnknown = here == SessionRewind::Here::Nothing && hadTerminal;
    if (!isUnknown && !live->link().failure() && m_rewind.setAside(kStoreForRoomTime, here))
        return true;
    if (wasPaused && !live->sandbox().pause())
        setState("idle");
    return false;
}

bool SandboxSession::makeRoom(const std::string& why)
{
    noteLastVariables();
    HostBudget::Place place; // given back when the sandbox is gone
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
    m_madeRoom = true; // who needs it from now on waits, and starts another
    const bool isAside = setAside(live);
    if (isAnothers() || (!isAside && live->link().failure())) {
        m_madeRoom = false;
        return bury(live).has_value();
    }
    if (!isAside) {
        m_madeRoom = false;
        const std::lock_guard lock(m_mutex);
        m_staysUntil = steady_clock::now() + kStays;
        return false;
    }
    if (m_loss == Loss::Names)
        m_loss = Loss::None; // what is left of it is set aside
    {
        const std::lock_guard lock(m_mutex);
        m_madeRoom = m_live == live; // else it was ended meanwhile
        if (!m_madeRoom)
            return false;
        m_live = nullptr;
        m_asleep.clear();
        m_hadTerminal = false;
        m_state = "ended: " + why;
        place = std::move(m_place);
    }
    m_rewind.letGo();
    live->link().close({ Errc::Cancelled, why });
    live->sandbox().end();
    takeEgress().reset();
    m_journal.stopped(info());
    m_listener(SessionEvent::Kind::Ended, info(), why);
    return true;
}

// With the line.
Result<void> SandboxSession::startAgain(const SessionAsker& asker)
{
    PlaceSource again;
    {
        const std::lock_guard lock(m_mutex);
        if (!m_place)
            again = m_placeAgain;
    }
    if (again) {
        SessionInfo waiting = info();
        waiting.state = "waiting";
        std::stop_source stop;
        const std::stop_callback asked(asker.stop, [&] { stop.request_stop(); });
        const std::stop_callback ended(m_over.get_token(), [&] { stop.request_stop(); });
        auto place = again(waiting, { asker.isRun, stop.get_token(), asker.say, asker.takesOnlyRoom });
        if (!place)
            return std::move(place.error());
        const std::lock_guard lock(m_mutex);
        m_place = std::move(*place);
    }
    if (auto started =
            m_ended ? Result<void>(Error{ Errc::Cancelled, "it was ended meanwhile" }) : start(asker.stop);
        !started) {
        const HostBudget::Place unused = [&] {
            const std::lock_guard lock(m_mutex);
            return std::move(m_place);
        }();
        return started;
    }
    if (!m_madeRoom.exchange(false))
        m_loss = Loss::Sandbox;
    else if (m_loss == Loss::None)
        m_loss = Loss::MadeRoom;
    const std::lock_guard lock(m_mutex);
    m_namesLost = true;
    return {};
}

Result<bool> SandboxSession::wake(const SessionAsker& asker)
{
    if (!m_madeRoom)
        return false;
    const CellLine::Turn turn(m_line, asker.stop);
    if (!turn)
        return Error{ Errc::Cancelled, "stopped while session " + m_parts.id.value + " was busy" };
    const auto live = ensureLive({}, {}, asker);
    if (live && m_rewind.isOn())
        m_rewind.use(*live); // nothing sleeps there
    return live ? Result<bool>(true) : live.error();
}

bool SandboxSession::comeBackFromAside(CellResult& result)
{
    if (!m_rewind.hasAside())
        return false;
    auto brought = m_rewind.comeBackFromAside(!m_journal.isKept());
    if (!brought) {
        result.warnings.push_back("the session could not be brought back to where it stood: "
                                  + brought.error().message);
        return false;
    }
    const std::lock_guard lock(m_mutex);
    m_namesLost = brought->kind == Restored::Kind::FilesOnly;
    result.restored = std::move(*brought);
    return true;
}

// Where it made room, what it was like then may be just what is asked for.
Result<Restored> SandboxSession::standAs(const Stand& stand, CellResult& result)
{
    m_isNew = false;
    const bool isBack = m_loss == Loss::MadeRoom && m_rewind.wantsAside(stand) && comeBackFromAside(result);
    if (m_loss != Loss::None && !isBack)
        m_rewind.changes(false);
    return m_rewind.bring(stand);
}

} // namespace sg::sessions
