#pragma once

#include "core/base/clock.h"
#include "core/sandbox/sandbox.h"
#include "core/sessions/layer.h"
#include "core/sessions/session.h"
#include "core/sessions/session_spec.h"
#include "core/sessions/snapshots/snapshot_limits.h"
#include "core/sessions/stand_mark.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace sg::sessions {

class SnapshotRoom;

// The parts that a session is built from, and callbacks to its surroundings. Constant while it lives.
struct SessionParts {
    SessionId id;
    ThreadId thread;
    SessionSpec spec;
    sandbox::SandboxSpec sandboxSpec;
    std::string backendName;
    sandbox::BackendInfo backendInfo;
    sandbox::SandboxBackend* backend = nullptr; // outlives the session or its end()
    artifacts::ArtifactStore* artifacts = nullptr;
    const Clock* clock = nullptr;
    ToolAnswer answerTool{}; // empty: its code has no tools
    SecretLookup findSecret{};
    SecretLookup findHeaderSecret{};
    std::filesystem::path authorities{}; // PEM, for hosts to which the proxy speaks TLS
    AuditListener audit{};
    SnapshotStored snapshotStored{};
    SnapshotLimits snapshotLimits{};
    std::shared_ptr<SnapshotRoom> snapshotRoom{}; // the project's: sessions may outlive their manager
    std::filesystem::path snapshots; // folder of snapshots' file contents; empty: none are taken
    WallTime startedAt{}; // of a session that is taken up again; else now
    std::int64_t cellsBefore = 0; // run by earlier programs in the same session
    std::optional<Layer> layer{}; // of the packages it requires
    std::optional<sandbox::Limits> limitsNow{}; // where limits were changed while the session lived
    SnapshotOfThread snapshotOf{}; // the newest snapshot of its thread; may be empty
    bool isNew =
        false; // its thread had none: the first cell by hand finds what the thread's newest snapshot holds
    bool comesAfterLoss =
        false; // the thread's session before it was lost: it goes on where the thread stands
    // True where the records say that another program has taken up this kept session; empty: not known.
    std::function<bool()> isAnothers{};
    // A kept session has these: how an earlier program left it, and how it stands now. Empty: nothing is
    // recorded.
    std::function<std::optional<StandMark>()> lastMark{};
    std::function<void(const StandMark&)> keepMark{};
};

} // namespace sg::sessions
