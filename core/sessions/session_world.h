#pragma once

#include "core/base/ids.h"
#include "core/sessions/session_part.h"
#include "core/sessions/snapshot.h"

#include <memory>
#include <string>

namespace sg::sessions {

// Stand is the place in a thread's history at which a session must be when a call begins.
struct Stand {
    enum class Kind {
        AsIs, // wherever it is
        Fresh, // as when it was started: no names, no files
        Snapshot,
    };
    enum class Source { Any, LiveOnly, StoredOnly }; // allowed ways to get to the snapshot
    Kind kind = Kind::AsIs;
    std::shared_ptr<const Snapshot> snapshot; // for Snapshot
    Source source = Source::Any;
    bool isOfRun = false; // this run left it there, or found it so: anything less is an error
    bool keepsEdits = false; // what cells have changed by hand since is kept
    std::string lacks{}; // what the snapshot does not have, for people; empty: nothing
};

// The attempt of a task that calls.
struct CallSite {
    TaskId task;
    int attempt = 1;
    std::string ns{}; // of the task: "node:taskid", after its outer ones, separated by "|"
    SessionPart part{}; // the same in each run
    std::string superstep{}; // of a call that runs beside others: the same for all of them
};

// SessionWorld is the history that a thread's sessions follow; the run owns it. It is called while the
// session's line is held, so in the order of the calls. Any thread.
class SessionWorld {
public:
    virtual ~SessionWorld() = default;
    [[nodiscard]] virtual Stand stand(const CallSite& caller) = 0;
    // The snapshot at which the superstep of a call that runs beside others began; called after stand().
    // Null: there is none.
    [[nodiscard]] virtual std::shared_ptr<const Snapshot> base(const CallSite& /*caller*/) { return nullptr; }
    // The session was at a place without a snapshot, and has one now.
    virtual void began(const CallSite& caller, std::shared_ptr<const Snapshot> snapshot) = 0;
    // A call has ended and left this. `stays`: it counts whatever becomes of the task.
    virtual void moved(const CallSite& caller, std::shared_ptr<const Snapshot> snapshot, bool stays) = 0;
};

} // namespace sg::sessions
