#pragma once

#include "core/base/clock.h"
#include "core/sandbox/sandbox.h"
#include "core/sessions/layer.h"
#include "core/sessions/session.h"
#include "core/sessions/session_spec.h"
#include "core/sessions/snapshots/snapshot_limits.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace sg::sessions {

class SnapshotRoom;

// What a session is made of, and what it may ask of its surroundings. Constant while it lives.
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
    std::filesystem::path authorities{}; // of hosts to which the proxy speaks TLS
    AuditListener audit{};
    SnapshotStored snapshotStored{};
    SnapshotLimits snapshotLimits{};
    std::shared_ptr<SnapshotRoom> snapshotRoom{}; // the project's: sessions may outlive their manager
    std::filesystem::path snapshots; // folder of snapshots' file contents; empty: none are taken
    WallTime startedAt{}; // of one that is taken up again; else now
    std::int64_t cellsBefore = 0; // of earlier programs in the same session
    std::optional<Layer> layer{}; // of its requirements
    std::optional<sandbox::Limits> limitsNow{}; // the same, where they were changed while it lived
    SnapshotOfThread snapshotOf{}; // where its thread stands; may be empty
    bool isNew =
        false; // its thread had none: the first cell by hand finds what the thread's newest snapshot holds
    bool comesAfterLoss =
        false; // the thread's session before it was lost: it goes on where the thread stands
    // Another program has taken up what was kept of it, as far as the records tell; empty: it is not known.
    std::function<bool()> isAnothers{};
};

} // namespace sg::sessions
