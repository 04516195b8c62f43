#include "core/sessions/live/loss_repair.h"

#include "core/sessions/runner/live_sandbox.h"

#include <utility>

namespace sg::sessions {
namespace {

constexpr Millis kStoreForRoomTime{ 10'000 };

bool hasLostNames(const Restored& restored)
{
    return restored.kind == Restored::Kind::FilesOnly
        || (restored.kind == Restored::Kind::Stored && !restored.missing.empty());
}

CellError namesLost(const Restored& restored, bool wasLost, bool isRetry)
{
    const char* what = wasLost ? "the session was lost between two steps of this run, and came back as: "
        : isRetry ? "an earlier attempt of the node has changed the session, which came back as: "
                  : "the session was changed between two steps of this run, and came back as: ";
    return { kNamesLost,
             what + describe(restored)
                 + ". What the node was to work with is not all there, so it did not run. Resume the thread "
                   "to go on with what there is, or run again from an earlier checkpoint",
             {},
             {} };
}

} // namespace

LossRepair::LossRepair(const SessionParts& parts, bool isKept)
    : m_parts(parts)
    , m_isKept(isKept)
    , m_rewind(parts.snapshots, *parts.clock, parts.snapshotLimits, parts.snapshotRoom.get(),
               parts.snapshotStored, isKept,
               { parts.lastMark, parts.keepMark,
                 [&parts] {
                     return parts.snapshotOf ? parts.snapshotOf(parts.thread, parts.spec.part) : nullptr;
                 } })
    , m_loss(parts.comesAfterLoss ? Loss::EarlierSession : Loss::None)
    , m_isNew(parts.isNew)
{
}

std::optional<CellError> LossRepair::enter(const Live& live, const CellWork& work, CellResult& result)
{
    if (!m_rewind.isOn())
        return std::nullopt;
    m_rewind.use(live);
    noteLossBetweenCalls();
    if (work.world == nullptr) {
        comeBack(result);
        m_rewind.changes(true);
        return std::nullopt;
    }
    auto cannot = goWhereItMustStand(live, work, result);
    if (!cannot)
        m_rewind.changes(false);
    return cannot;
}

std::optional<CellError> LossRepair::enterBeside(const Live& live, const CellWork& work, CellResult& result)
{
    if (!m_rewind.isOn() || work.world == nullptr)
        return std::nullopt;
    m_rewind.use(live);
    noteLossBetweenCalls();
    return goWhereItMustStand(live, work, result);
}

std::optional<CellError> LossRepair::goWhereItMustStand(const Live& live, const CellWork& work,
                                                        CellResult& result)
{
    const Stand stand = work.world->stand(work.caller);
    const bool wasLost = m_loss != Loss::None;
    auto brought = standAs(stand, result);
    if (brought && stand.isOfRun && hasLostNames(*brought)) {
        m_rewind.changes(false); // a later attempt finds no more than this one
        result.restored = std::move(*brought);
        return namesLost(*result.restored, wasLost, work.caller.attempt > 1);
    }
    if (!brought && !live->link().failure())
        return CellError{ "SandboxError", brought.error().message };
    if (brought && brought->kind == Restored::Kind::AsItWas && result.restored) {
        result.restored->lacks = std::move(brought->lacks);
    } else if (brought
               && (brought->kind != Restored::Kind::AsItWas || !brought->lacks.empty()
                   || brought->keepsEdits)) {
        if (brought->kind != Restored::Kind::AsItWas)
            m_told.lock()->namesLost = false; // the result tells of them
        result.restored = std::move(*brought);
    }
    if (brought && m_rewind.standsNowhere()) {
        auto snapshot = m_rewind.take();
        // A snapshot of a sandbox that is ending is empty: coming back to it would restore nothing.
        if (!live->link().failure())
            work.world->began(work.caller, std::move(snapshot));
    }
    return std::nullopt;
}

void LossRepair::leave(LiveSandbox& live, const CellWork& work, bool copyFollows, CellResult& result)
{
    if (!m_rewind.isOn() || work.world == nullptr || live.link().failure())
        return;
    const bool isGood = result.isWhole();
    const bool isWanted = isGood || work.keepsFailed;
    if (!isWanted || !copyFollows)
        m_rewind.dismiss(copyFollows);
    if (!isWanted)
        return;
    takeSnapshot(work, isGood, result);
}

void LossRepair::leaveBeside(LiveSandbox& live, const CellWork& work, bool changed, CellResult& result)
{
    if (!m_rewind.isOn() || work.world == nullptr || live.link().failure() || !result.isWhole())
        return;
    if (auto snapshot = changed ? nullptr : m_rewind.unchanged())
        work.world->moved(work.caller, std::move(snapshot), false);
    else
        takeSnapshot(work, true, result);
}

void LossRepair::takeSnapshot(const CellWork& work, bool isGood, CellResult& result)
{
    auto snapshot = m_rewind.take();
    if (isGood && m_rewind.cameTooLate()) { // the task runs again, from where the session stood before
        result.status = CellStatus::Died;
        result.restarted = true;
        result.error = CellError{ "InterpreterDied",
                                  "the interpreter was killed as the code had just ended: the names that it "
                                  "left are gone",
                                  {},
                                  {} };
        return;
    }
    if (std::string warning = m_rewind.takeWarning(); !warning.empty())
        result.warnings.push_back(std::move(warning));
    work.world->moved(work.caller, std::move(snapshot), work.keepsFailed);
}

void LossRepair::cellEnded(CellResult& result)
{
    if (result.restarted && m_loss == Loss::None)
        m_loss = Loss::Names; // the names of this cell, which the next one makes good
    result.restarted = std::exchange(m_told.lock()->namesLost, false) || result.restarted;
    if (m_rewind.isOn())
        m_rewind.keepMark(m_loss != Loss::None);
}

// Only what the runner had in memory is gone; a BIND session's files are as its code left them.
void LossRepair::comeBack(CellResult& result)
{
    const bool isNew = std::exchange(m_isNew, false);
    if (m_loss == Loss::MadeRoom && comeBackFromAside(result))
        return;
    if (m_loss == Loss::None && !isNew)
        return;
    auto snapshot = m_loss == Loss::EarlierSession ? nullptr : m_rewind.stoodAt();
    if (!snapshot && m_parts.snapshotOf)
        snapshot = m_parts.snapshotOf(m_parts.thread, m_parts.spec.part);
    if (!snapshot)
        return;
    auto brought = m_rewind.comeBack(snapshot, m_loss != Loss::Names && !m_isKept);
    if (!brought) {
        result.warnings.push_back("the session could not be brought back to its thread's checkpoint: "
                                  + brought.error().message);
        return;
    }
    takeRestored(std::move(*brought), result);
}

bool LossRepair::comeBackFromAside(CellResult& result)
{
    if (!m_rewind.hasAside())
        return false;
    auto brought = m_rewind.comeBackFromAside(!m_isKept);
    if (!brought) {
        result.warnings.push_back("the session could not be brought back to where it stood: "
                                  + brought.error().message);
        return false;
    }
    takeRestored(std::move(*brought), result);
    return true;
}

void LossRepair::takeRestored(Restored brought, CellResult& result)
{
    m_told.lock()->namesLost = brought.kind == Restored::Kind::FilesOnly;
    result.restored = std::move(brought);
}

// A session that was set aside to make room may be just where it must stand now.
Result<Restored> LossRepair::standAs(const Stand& stand, CellResult& result)
{
    m_isNew = false;
    const bool isBack = m_loss == Loss::MadeRoom && m_rewind.wantsAside(stand) && comeBackFromAside(result);
    if (m_loss != Loss::None && !isBack)
        m_rewind.changes(false);
    return m_rewind.bring(stand);
}

// A run's caller tells how its session was brought back; only for a cell by hand is it said here.
std::string LossRepair::tell(const CellHandlers& handlers, const CellResult& result, bool byHand)
{
    const Loss loss = std::exchange(m_loss, Loss::None);
    const bool isBack = result.restored.has_value();
    if (loss == Loss::None && isBack && byHand && handlers.output)
        handlers.output({ CellOutput::Stream::Event,
                          "the session is new, and stands at its thread's newest snapshot: "
                              + describe(*result.restored) });
    if (loss == Loss::None || (loss == Loss::Names && !(isBack && byHand)))
        return {};
    std::string text = loss == Loss::Names ? "the session's interpreter was replaced"
        : loss == Loss::Sandbox            ? "the session was started anew"
        : loss == Loss::MadeRoom           ? "the session had made room for another one, and was started anew"
                                           : "the session takes the place of one that was lost";
    if (!isBack)
        text += ": its names and files in memory are gone";
    else if (byHand)
        text += std::string(", and stands ")
            + (loss == Loss::MadeRoom ? "where it did: " : "at its newest snapshot again: ")
            + describe(*result.restored);
    for (const std::string& warning : result.warnings)
        text += "; " + warning;
    if (handlers.output)
        handlers.output({ CellOutput::Stream::Event, text });
    return text;
}

bool LossRepair::setAside(const Live& live)
{
    noteLossBetweenCalls();
    const bool hadTerminal = this->hadTerminal();
    m_rewind.use(live);
    if (hadTerminal)
        m_rewind.changes(true);
    const auto here = m_loss == Loss::None ? SessionRewind::Here::All
        : m_loss == Loss::Names            ? SessionRewind::Here::Files
                                           : SessionRewind::Here::Nothing;
    const bool isUnknown = here == SessionRewind::Here::Nothing && hadTerminal;
    return !isUnknown && !live->link().failure() && m_rewind.setAside(kStoreForRoomTime, here);
}

void LossRepair::madeRoom()
{
    if (m_loss == Loss::Names)
        m_loss = Loss::None;
}

void LossRepair::startedAgain(bool hadMadeRoom)
{
    if (!hadMadeRoom)
        m_loss = Loss::Sandbox;
    else if (m_loss == Loss::None)
        m_loss = Loss::MadeRoom;
    noteNamesLost();
}

void LossRepair::noteAsleep()
{
    if (!m_rewind.isOn())
        return;
    std::vector<SnapshotId> asleep = m_rewind.asleep();
    m_told.lock()->asleep = std::move(asleep);
}

void LossRepair::keepMark(const Live& live)
{
    if (!m_parts.keepMark || !m_rewind.isOn() || live->link().failure())
        return;
    m_rewind.use(live);
    noteLossBetweenCalls();
    m_rewind.keepMark(m_loss != Loss::None);
}

void LossRepair::noteLossBetweenCalls()
{
    if (m_loss == Loss::None && m_told.lock()->namesLost)
        m_loss = Loss::Names;
}

} // namespace sg::sessions
