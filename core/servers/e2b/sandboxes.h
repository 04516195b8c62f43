#pragma once

#include "core/base/clock.h"
#include "core/base/result.h"
#include "core/base/value.h"
#include "core/servers/e2b/agent_link.h"
#include "core/servers/e2b/contexts.h"
#include "core/servers/e2b/sandbox_records.h"
#include "core/sessions/manager/session_manager.h"

#include <atomic>
#include <chrono>
#include <filesystem>
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
    std::string trafficToken; // of its interpreter and ports
    WallTime startedAt;
    std::shared_ptr<sessions::Session> session;
    std::unique_ptr<Contexts> contexts;
    sandbox::Limits limits;
    std::chrono::seconds longest{ 0 }; // for which it may run without a pause
    bool pausesAtEnd = false;
    bool outlivesServer = false;
    bool hasOpenPorts = true; // its services need no token
    std::atomic<int> portConnections = 0;

    std::mutex mutex;
    // Guarded by mutex:
    WallTime endAt; // at most `longest` after runsSince
    WallTime runsSince;
    bool isPaused = false;
    bool isOver = false;
    std::shared_ptr<AgentLink> agent;

    Result<std::shared_ptr<AgentLink>> reach(); // starts an agent where none runs
    [[nodiscard]] std::int64_t diskBytes() const; // that its home folder can hold
    void setEnd(WallTime end); // no later than it may run; the caller holds mutex
    Value record(); // for SandboxRecords
    static std::shared_ptr<Sandbox> ofRecord(const Value& record); // without its session
};
using SandboxPtr = std::shared_ptr<Sandbox>;

struct Quota {
    int sandboxes = 20;
    std::chrono::seconds longest{ 24 * 3600 };
    std::int64_t memoryBytes = 0; // what all its sandboxes may use together; 0: no limit
};

// The sandboxes of all clients. One client never finds another's. Those that outlive this program (in
// containers) are found again by the next one, with the same ids, tokens and ends. Any thread.
class Sandboxes {
public:
    using SpecOf = std::function<Result<sessions::SessionSpec>()>;
    struct Options {
        int ready = 0; // how many are started before a client asks
        std::filesystem::path records; // folder; empty: all end with this object
    };
    Sandboxes(sessions::SessionManager& sessions, SpecOf spec, const Clock& clock, const Options& options);
    ~Sandboxes(); // ends those that do not outlive it
    Sandboxes(const Sandboxes&) = delete;
    Sandboxes& operator=(const Sandboxes&) = delete;

    // Errc::LimitExceeded: the client has as many, or as large ones, as it may have.
    Result<SandboxPtr> create(const std::string& client, const Quota& quota, const Value& wish,
                              const std::stop_token& stop);
    SandboxPtr find(const std::string& client, const std::string& id); // null: not this client's, or none
    SandboxPtr findAny(const std::string& id); // whose token the caller checks
    std::vector<SandboxPtr> ofClient(const std::string& client); // the newest first
    std::vector<SandboxPtr> all();
    // Returns why the client's sandbox is no more, where that was not the client's wish; empty: unknown.
    std::string whyGone(const std::string& client, const std::string& id);
    // Its end may come by itself: code that took all memory, a person in the window. It is forgotten then.
    Result<void> kill(const SandboxPtr& sandbox, const std::string& why = {});
    Result<void> pause(const SandboxPtr& sandbox);
    Result<bool> resume(const SandboxPtr& sandbox, std::chrono::seconds time); // true: it was paused
    void setEnd(const SandboxPtr& sandbox, std::chrono::seconds fromNow, bool onlyLater);

private:
    struct Gone {
        std::string client;
        std::string why;
    };
    Result<sessions::SessionSpec> spec() const;
    Result<void> checkRoom(const std::string& client, const Quota& quota, std::int64_t memory);
    void note(const SandboxPtr& sandbox);
    void forget(const std::string& id, Gone gone);
    using LeftSessions = std::map<std::string, sessions::SessionInfo>; // by thread
    [[nodiscard]] LeftSessions leftSessions() const;
    void findAgain();
    void findAgain(const Value& record, const LeftSessions& left);
    void lookAgain();
    void noteElsewhere(const std::vector<Value>& records);
    std::string takeUp(const SandboxPtr& sandbox, const Value& record);
    void sweep(const std::stop_token& stop);

    sessions::SessionManager& m_sessions;
    const SpecOf m_spec;
    const Clock& m_clock;
    const SandboxRecords m_records;
    std::atomic<std::size_t> m_elsewhere = 0; // how many sandboxes other servers have
    std::mutex m_mutex;
    // Guarded by m_mutex:
    std::map<std::string, SandboxPtr> m_byId;
    std::map<std::string, Quota> m_starting; // by client: how many, and their memory
    std::map<std::string, Gone> m_gone; // by id; a bounded number
    std::jthread m_sweeper;
};

// The seconds that a client asks for; null: the usual ones. Errc::InvalidArgument: more than `longest`.
Result<std::chrono::seconds> checkedTime(const Value& wish, std::chrono::seconds longest);
std::string randomHex(std::size_t bytes);

} // namespace sg::servers::e2b
