#pragma once

#include "core/base/ids.h"
#include "core/sessions/session_part.h"
#include "core/sessions/snapshot.h"

#include <memory>
#include <string>

namespace sg::sessions {

// Where a session must be when a call begins.
struct Stand {
    enum class Kind {
        AsIs, // wherever it is
        Fresh, // as when it was started: no names, no files
        Snapshot,
    };
    enum class Source { Any, LiveOnly, StoredOnly }; // how it may be brought to the snapshot
    Kind kind = Kind::AsIs;
    std::shared_ptr<const Snapshot> snapshot; // for Snapshot
    Source source = Source::Any;
    bool isOfRun = false; // this run left it there, or found it so: nobody has asked for anything less
    bool keepsEdits = false; // what cells changed by hand since is left as it is
    std::string lacks{}; // what the snapshot does not have, for people; empty: nothing
};

// Which attempt of which task calls.
struct CallSite {
    TaskId task;
    int attempt = 1;
    std::string ns{}; // of the task: "node:taskid", those that it is nested in before it, separated by "|"
    SessionPart part{}; // the same in each run
};

// The place in a thread's history that its sessions follow; owned by who runs the graph. All is asked and
// told while the session's line is held, so in the order of its calls. Any thread.
class SessionWorld {
public:
    virtual ~SessionWorld() = default;
    [[nodiscard]] virtual Stand stand(const CallSite& caller) = 0;
    // The session was somewhere that had no snapshot yet, and has one now.
    virtual void began(const CallSite& caller, std::shared_ptr<const Snapshot> snapshot) = 0;
    // A call has ended, and this is what it left. `stays`: whatever becomes of its task.
    virtual void moved(const CallSite& caller, std::shared_ptr<const Snapshot> snapshot, bool stays) = 0;
};

} // namespace sg::sessions
