#pragma once

// The manager's private state, shared by the files that implement it.

#include "core/sessions/live/sandbox_session.h"
#include "core/sessions/manager/session_maker.h"
#include "core/sessions/manager/session_manager.h"
#include "core/sessions/manager/session_room.h"
#include "core/sessions/manager/warm_pool.h"

#include <condition_variable>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace sg::sessions {

struct SessionManager::Impl {
    using Key = std::pair<ThreadId, SessionPart>; // thread and part
    struct Slot {
        CellLine starting; // one start at a time
        std::shared_ptr<SandboxSession> session; // guarded by Impl::mutex; replaced only with `starting` held
    };

    Impl(Backends theBackends, artifacts::ArtifactStore& artifacts, const Clock& theClock, Random& random,
         SessionManagerOptions theOptions);

    Result<std::shared_ptr<SandboxSession>> start(const ThreadId& thread, const SessionSpec& spec,
                                                  const SessionAsker& asker);
    bool suits(SandboxSession& session, const SessionSpec& spec) const;
    std::vector<std::shared_ptr<SandboxSession>> living();
    std::shared_ptr<SandboxSession> findLiving(const SessionId& id);
    void record(SessionEvent::Kind kind, const SessionInfo& about, const std::string& text);
    void countCells(const SessionId& id);
    void recordStart(const SandboxSession& session) const;
    void leave(SandboxSession& session);
    void watch(const std::stop_token& stop);
    void look(const std::shared_ptr<SandboxSession>& session);
    void endIfOver(const std::shared_ptr<SandboxSession>& session, const SandboxSession::Use& use);
    void store(bool all);

    Backends backends;
    const Clock& clock;
    const SessionManagerOptions options;
    const std::unique_ptr<SessionRecords> records; // null: none
    Publisher<SessionEvent> events;
    SessionRoom room; // closed as the manager ends: that stops what is started ahead, too
    WarmPool pool;
    SessionMaker maker;

    // Only the watcher's thread uses these:
    std::vector<StoredSample> samples;
    SteadyTime stored{};
    std::map<SessionId, std::future<void>> endings; // each first writes out its snapshots, which takes time

    std::mutex mutex;
    std::condition_variable_any changed;
    std::map<Key, std::shared_ptr<Slot>> slots; // guarded by mutex
    std::jthread watcher; // last member: joined before the others are destroyed
};

} // namespace sg::sessions
