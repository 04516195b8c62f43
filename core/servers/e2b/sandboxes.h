#pragma once

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/base/value.h"
#include "core/servers/e2b/agent_link.h"
#include "core/servers/e2b/contexts.h"
#include "core/sessions/manager/session_manager.h"

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace sg::servers::e2b {

// A sandbox that a client made: a session like any other, whose thread is "e2b-ID".
struct Sandbox {
    std::string id; // letters and digits: it stands in names of hosts
    std::string client;
    std::string templateId;
    Value metadata;
    Value environment;
    std::string token; // of its files and commands
    std::string trafficToken; // of its interpreter
    WallTime startedAt;
    std::shared_ptr<sessions::Session> session;
    sandbox::Limits limits;
    std::chrono::seconds longest{ 0 }; // for which it may run without a pause
    bool pausesAtEnd = false;
    std::unique_ptr<Contexts> contexts;

    std::mutex mutex;
    // Guarded by mutex:
    WallTime endAt; // at most `longest` after runsSince
    WallTime runsSince;
    bool isPaused = false;
    bool isOver = false;
    std::shared_ptr<AgentLink> agent;

    Result<std::shared_ptr<AgentLink>> reach(); // starts an agent where none runs
    void setEnd(WallTime end); // no later than it may run; the caller holds mutex
};
using SandboxPtr = std::shared_ptr<Sandbox>;

struct Quota {
    int sandboxes = 20;
    std::chrono::seconds longest{ 24 * 3600 };
};

// The sandboxes of all clients. One client never finds another's. Any thread.
class Sandboxes {
public:
    using SpecOf = std::function<Result<sessions::SessionSpec>()>;
    // `ready`: how many are started before a client asks.
    Sandboxes(sessions::SessionManager& sessions, SpecOf spec, const Clock& clock, int ready);
    ~Sandboxes(); // ends all
    Sandboxes(const Sandboxes&) = delete;
    Sandboxes& operator=(const Sandboxes&) = delete;

    // Errc::LimitExceeded: the client has as many as it may have.
    Result<SandboxPtr> create(const std::string& client, const Quota& quota, const Value& wish,
                              const std::stop_token& stop);
    SandboxPtr find(const std::string& client, const std::string& id); // null: not this client's, or none
    SandboxPtr findAny(const std::string& id); // whose token the caller checks
    std::vector<SandboxPtr> ofClient(const std::string& client); // the newest first
    std::vector<SandboxPtr> all();
    // Its end may come by itself: code that took all memory, a person in the window. It is forgotten then.
    Result<void> kill(const SandboxPtr& sandbox);
    Result<void> pause(const SandboxPtr& sandbox);
    Result<bool> resume(const SandboxPtr& sandbox, std::chrono::seconds time); // true: it was paused
    void setEnd(const SandboxPtr& sandbox, std::chrono::seconds fromNow, bool onlyLater);

private:
    Result<sessions::SessionSpec> spec() const;
    void sweep(const std::stop_token& stop);

    sessions::SessionManager& m_sessions;
    const SpecOf m_spec;
    const Clock& m_clock;
    std::mutex m_mutex;
    std::map<std::string, SandboxPtr> m_byId; // guarded by m_mutex
    std::map<std::string, int> m_starting; // by client; guarded by m_mutex
    std::jthread m_sweeper;
};

std::string randomHex(std::size_t bytes);

} // namespace sg::servers::e2b
