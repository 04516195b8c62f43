#pragma once

#include "core/base/guarded.h"
#include "core/sessions/live/session_parts.h"
#include "core/sessions/live/session_rewind.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sg::sessions {

class LiveSandbox;

// A cell or call on its way to the runner.
struct CellWork {
    ValueMap request;
    SessionWorld* world = nullptr; // null: a cell that a person runs
    CallSite caller{};
    bool keepsFailed = false;
    bool isOfRun = false;
    std::optional<BesideOthers> beside{}; // it runs beside others; the session itself is as it is meanwhile
};

// LossRepair makes good what a session loses when its interpreter or sandbox dies, or when it makes room for
// another session: before each cell it brings the session to where it must stand. Unless stated otherwise,
// only the holder of the session's line may call it.
class LossRepair {
public:
    using Live = std::shared_ptr<LiveSandbox>;

    // `isKept`: the session's folder lies on the host and outlives the sandbox.
    LossRepair(const SessionParts& parts, bool isKept); // the parts outlive this

    [[nodiscard]] SessionRewind& rewind() { return m_rewind; }

    // Called for each cell in this order: enter() before its code, tell() for what a person is told of a loss
    // (empty: there was none), leave() and cellEnded() after it.
    std::optional<CellError> enter(const Live& live, const CellWork& work, CellResult& result);
    std::string tell(const CellHandlers& handlers, const CellResult& result, bool byHand);
    void leave(LiveSandbox& live, const CellWork& work, bool copyFollows, CellResult& result);
    void cellEnded(CellResult& result);
    // Does the same for calls that run beside each other: before one begins, and before and after it is
    // joined.
    std::optional<CellError> enterBeside(const Live& live, const CellWork& work, CellResult& result);
    void leaveBeside(LiveSandbox& live, const CellWork& work, bool changed, CellResult& result);

    // Called before the sandbox ends for another session's. False: something in it cannot be kept, so it goes
    // on.
    [[nodiscard]] bool setAside(const Live& live);
    void madeRoom(); // lost names were set aside as far as they were left
    void startedAgain(bool hadMadeRoom);
    void noteAsleep();
    // Keeps for later programs how the session stands.
    void keepMark(const Live& live);

    // Any thread:
    void noteNamesLost() { m_told.lock()->namesLost = true; }
    void noteTerminal() { m_told.lock()->hadTerminal = true; } // nobody knows what is done there
    [[nodiscard]] bool hadTerminal() const { return m_told.lock()->hadTerminal; } // in this sandbox
    void forgetAsleep() { m_told.lock()->asleep.clear(); } // the sandbox has ended
    void forgetTerminal() { m_told.lock()->hadTerminal = false; }
    // The copies that slept when the line was last released.
    [[nodiscard]] std::vector<SnapshotId> asleep() const { return m_told.lock()->asleep; }

private:
    enum class Loss { None, Names, Sandbox, MadeRoom, EarlierSession };
    struct Told {
        bool namesLost = false; // to be said with the next cell
        bool hadTerminal = false;
        std::vector<SnapshotId> asleep;
    };

    std::optional<CellError> goWhereItMustStand(const Live& live, const CellWork& work, CellResult& result);
    void takeSnapshot(const CellWork& work, bool isGood, CellResult& result);
    void noteLossBetweenCalls();
    // A cell by hand: no world says where the session must stand.
    void comeBack(CellResult& result);
    bool comeBackFromAside(CellResult& result);
    [[nodiscard]] Result<Restored> standAs(const Stand& stand, CellResult& result);
    void takeRestored(Restored brought, CellResult& result);

    const SessionParts& m_parts;
    const bool m_isKept;
    SessionRewind m_rewind;
    Loss m_loss; // not made good yet
    bool m_isNew; // and nothing has run in it
    Guarded<Told> m_told;
};

} // namespace sg::sessions
