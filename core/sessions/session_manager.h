#pragma once

#include "core/base/subscription.h"
#include "core/sessions/session.h"
#include "core/sessions/session_rewind.h"

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace sg::sessions {

// How a thread's session is to be made. What cannot change later; a session with another spec is replaced.
struct SessionSpec {
    std::string backend = "auto"; // "auto": docker where an engine answers and has the image, else bubblewrap
    std::string storage = "TMPFS"; // or "BIND"
    std::string datasets = "NONE"; // or "LOCAL_RO": datasetFolder at /data, read-only
    std::filesystem::path datasetFolder;
    std::string image = "sandglass/python";
    sandbox::Limits limits;
    bool keep = false;
    friend bool operator==(const SessionSpec& a, const SessionSpec& b);
};

struct SessionEvent {
    enum class Kind { Started, Ended, Restarted, Sample };
    Kind kind = Kind::Started;
    SessionInfo info;
    sandbox::ResourceSample sample; // for Sample
    std::string text; // why it ended or restarted, for people
};

struct SessionManagerOptions {
    std::filesystem::path sessionsFolder; // BIND sessions and sockets' bookkeeping
    std::filesystem::path runnerFolder; // resources/sandbox
    std::filesystem::path python; // virtual environment for bubblewrap
    std::string project; // 8 hex digits
    // Requests of every session's code that has datasets; must outlive the sessions. May be empty.
    ToolAnswer answerTool{};
    SnapshotStored snapshotStored{}; // must outlive the sessions
    std::filesystem::path snapshots; // folder of snapshots' file contents; empty: none are taken
    std::chrono::milliseconds sampleInterval{ 1000 };
};

// Owns every session of a project: one per thread. Any thread.
class SessionManager {
public:
    using Backends =
        std::map<std::string, std::unique_ptr<sandbox::SandboxBackend>>; // "docker", "bubblewrap"

    SessionManager(Backends backends, artifacts::ArtifactStore& artifacts, const Clock& clock, Random& random,
                   SessionManagerOptions options);
    ~SessionManager(); // ends all sessions but kept ones
    SessionManager(const SessionManager&) = delete;
    SessionManager& operator=(const SessionManager&) = delete;

    // The thread's session: the living one, a kept one found again, or a new one. The error says what to
    // install.
    Result<std::shared_ptr<Session>> acquire(const ThreadId& thread, const SessionSpec& spec);
    [[nodiscard]] std::vector<SessionInfo> list(); // also kept ones of earlier processes
    [[nodiscard]] std::shared_ptr<Session> find(const ThreadId& thread) const;
    Result<void> stop(const SessionId& id);
    // Sandboxes of this project whose process is gone and that are not kept; how many were removed.
    Result<int> sweepOrphans();
    [[nodiscard]] Result<sandbox::BackendInfo> backendInfo(const std::string& name); // "auto" too
    Publisher<SessionEvent>& events();

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace sg::sessions
