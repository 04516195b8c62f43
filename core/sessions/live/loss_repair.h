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
    SessionWorld* world = nullptr; // null: a cell by hand
    CallSite caller{};
    bool keepsFailed = false;
    bool isOfRun = false;
};

// What a session loses when its interpreter or its sandbox dies, or makes room for another session's, and how
// it is made good: before each cell it is brought to where it must stand. Belongs to who holds the session's
// line, unless it is said otherwise.
class LossRepair {
public:
    using Live = std::shared_ptr<LiveSandbox>;

    // `isKept`: the session's folder is one of the host's.
    LossRepair(const SessionParts& parts, bool isKept); // the parts outlive this

    [[nodiscard]] SessionRewind& rewind() { return m_rewind; }

    // A cell, in order: before its code, then what is said of a loss (empty: there was none), and after it.
    std::optional<CellError> enter(const Live& live, const CellWork& work, CellResult& result);
    std::string tell(const CellHandlers& handlers, const CellResult& result, bool byHand);
    void leave(LiveSandbox& live, const CellWork& work, bool copyFollows, CellResult& result);
    void cellEnded(CellResult& result);

    // The sandbox is to end for another session's. False: it has what would be gone with it, and goes on.
    [[nodiscard]] bool setAside(const Live& live);
    void madeRoom(); // what is left of its names is set aside
    void startedAgain(bool hadMadeRoom);
    void noteAsleep();

    // Any thread:
    void noteNamesLost() { m_told.lock()->namesLost = true; }
    void noteTerminal() { m_told.lock()->hadTerminal = true; } // nobody knows what is done there
    [[nodiscard]] bool hadTerminal() const { return m_told.lock()->hadTerminal; } // in this sandbox
    void forgetAsleep() { m_told.lock()->asleep.clear(); } // the sandbox has ended
    void forgetTerminal() { m_told.lock()->hadTerminal = false; }
    // As known when the line was last given back.
    [[nodiscard]] std::vector<SnapshotId> asleep() const { return m_told.lock()->asleep; }

private:
    enum class Loss { None, Names, Sandbox, MadeRoom, EarlierSession };
    struct Told {
        bool namesLost = false; // to be said with the next cell
        bool hadTerminal = false;
        std::vector<SnapshotId> asleep;
    };

    void noteLossBetweenCalls();
    // Of a cell by hand: nobody says where the session must stand.
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
