#pragma once

#include "core/sessions/live/sandbox_session.h"
#include "core/sessions/manager/session_manager.h"
#include "core/sessions/manager/warm_pool.h"
#include "core/sessions/records/session_records.h"

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace sg::sessions {

// Checks that a session can be made of a spec as it is. Errc::NotFound: its folder of datasets is missing.
Result<void> checkSpec(const SessionSpec& spec);

// Who has a found sandbox, as far as the records and its labels tell.
enum class Holder { Nobody, Us, Another };
Holder holderOf(const sandbox::FoundSandbox& found, SessionRecords* records);

// SessionMaker takes up what an earlier program left, takes a session that was started ahead, or starts one.
// Any thread.
class SessionMaker {
public:
    struct World {
        SessionManager::Backends& backends;
        artifacts::ArtifactStore& artifacts;
        const Clock& clock;
        Random& random;
        const SessionManagerOptions& options;
        SessionRecords* records; // may be null
        WarmPool& pool;
        SandboxSession::Listener listener;
    };
    explicit SessionMaker(World world)
        : m_world(std::move(world))
    {
    }

    // Who waits for the session.
    struct Asker {
        std::stop_token stop;
        std::function<void(const std::string& line)> say;
    };
    Result<std::shared_ptr<SandboxSession>> make(const ThreadId& thread, const SessionSpec& spec,
                                                 const Asker& asker);
    // Looks up what make() needs before it starts anything.
    Result<void> prepare(const SessionSpec& spec, const Asker& asker);
    // Starts a sandbox for the pool and greets its runner; its session will have that id. `isResting`: all
    // that it started stands still until it is greeted again.
    Result<WarmPool::Ready> makeReady(const SessionSpec& spec, bool isResting, const std::stop_token& stop);

private:
    struct Choice {
        std::string name;
        sandbox::SandboxBackend* backend = nullptr;
        sandbox::BackendInfo info;
    };
    Result<std::shared_ptr<SandboxSession>> makeOn(const Choice& choice, const ThreadId& thread,
                                                   const SessionSpec& spec, const Asker& asker);
    [[nodiscard]] Result<std::shared_ptr<SandboxSession>> madeOf(const SessionParts& parts) const;
    [[nodiscard]] Result<std::shared_ptr<SandboxSession>> started(const SessionParts& parts,
                                                                  const std::stop_token& stop) const;
    Result<std::shared_ptr<SandboxSession>> takeUpOrReplace(const Choice& choice, SessionParts parts,
                                                            const sandbox::FoundSandbox& left,
                                                            const std::optional<Layer>& layer,
                                                            const Asker& asker);
    // Returns no layer where nothing is required.
    Result<std::optional<Layer>> layerOf(const std::string& backendName, sandbox::SandboxBackend& backend,
                                         const SessionSpec& spec, const Asker& asker);
    Result<std::optional<sandbox::FoundSandbox>> findLeft(sandbox::SandboxBackend& backend,
                                                          const ThreadId& thread, const SessionSpec& spec);
    struct Lookups {
        SecretLookup find;
        SecretLookup findHeader;
    };
    // `alsoHeaders`: looks up secrets of headers too, which otherwise happens as the network is opened.
    [[nodiscard]] Result<Lookups> lookUpSecrets(const SessionSpec& spec, bool alsoHeaders,
                                                const std::stop_token& stop) const;
    [[nodiscard]] bool wasLost(const ThreadId& thread, const SessionPart& part) const;
    bool tellsOfALoss(const Choice& choice, const ThreadId& thread, const SessionSpec& spec,
                      const Asker& asker);
    [[nodiscard]] sandbox::SandboxSpec sandboxSpec(const SessionId& id, const SessionSpec& spec,
                                                   const std::optional<Layer>& layer) const;
    [[nodiscard]] SessionParts partsOf(const Choice& choice, const SessionId& id, const ThreadId& thread,
                                       const SessionSpec& spec, const std::optional<Layer>& layer,
                                       const Lookups& secrets) const;
    static void takeUp(const SessionRecord& record, SessionParts& parts);
    [[nodiscard]] bool isOf(const sandbox::FoundSandbox& found, const ThreadId& thread,
                            const SessionPart& part) const;
    [[nodiscard]] Result<void> claim(const sandbox::FoundSandbox& left) const;
    void release(const sandbox::FoundSandbox& left) const; // what was claimed and could not be taken up
    Result<void> giveUp(const Choice& choice, const sandbox::FoundSandbox& left, const std::string& why,
                        const Asker& asker);
    [[nodiscard]] std::string misfit(const sandbox::FoundSandbox& found, const SessionSpec& spec,
                                     const std::optional<Layer>& layer) const;
    [[nodiscard]] std::string takeUpLeft(SandboxSession& session, const sandbox::FoundSandbox& left,
                                         const SessionSpec& spec, const std::optional<Layer>& layer) const;
    SessionId newId();
    [[nodiscard]] SessionId lastingId(const ThreadId& thread, const SessionPart& part) const;

    const World m_world;
};

} // namespace sg::sessions
