#pragma once

#include "core/sandbox/docker/attached_stream.h"
#include "core/sandbox/docker/container_stats.h"
#include "core/sandbox/docker/json_lines.h"
#include "core/sandbox/docker/socket_folder.h"
#include "core/sandbox/folder_view.h"
#include "core/sandbox/own_user.h"
#include "core/sandbox/sandbox.h"

#include <memory>
#include <mutex>
#include <optional>

namespace sg::sandbox {

// The connections to a started container. The socket transport has `socket` and `folder`, the attached one
// neither.
struct ContainerChannels {
    std::string id;
    std::string name;
    std::int64_t pidsLimit = 0; // as requested: Podman's figures lack it
    pid_t process = 0; // the container's first, as a host pid; 0: unknown
    std::unique_ptr<AttachedStream> attached; // null for a sandbox found again, whose stderr is not ours
    std::unique_ptr<DescriptorStream> socket;
    std::optional<SocketFolder> folder;
    std::optional<JsonLines> events;
    OwnUser user;
    pid_t runner = 0; // its process at the socket's other end, if that is on this machine
    Fd runnerEnd; // its pidfd
};

class DockerSandbox final : public Sandbox, public FolderView {
public:
    DockerSandbox(std::shared_ptr<EngineApi> engine, ContainerChannels channels, bool kept);
    ~DockerSandbox() override;

    [[nodiscard]] std::string name() const override { return m_channels.name; }
    ByteStream& stream() override;
    Result<ResourceSample> sample() override;
    [[nodiscard]] SandboxEnd state() override;
    [[nodiscard]] std::string lastWords() override;
    void end() override;
    Result<void> pause() override;
    Result<void> unpause() override;
    [[nodiscard]] bool isPaused() override;
    Result<void> setLimits(const Limits& limits) override;
    Result<Fd> openSessionFolder() override;

    // Called while the sandbox is being started, by one thread.
    void startsPaused() { m_paused = true; }
    [[nodiscard]] const SocketFolder& folder() const { return *m_channels.folder; }
    void useSocket(Fd socket, pid_t runner, Fd runnerEnd);
    void useProcess(pid_t first) { m_channels.process = first; }
    void keepUser(OwnUser user) { m_channels.user = std::move(user); }

private:
    void takeEvents();
    void countOomKills();
    void checkEngine();
    Result<void> changePause(bool paused);

    // constant after construction
    const std::shared_ptr<EngineApi> m_engine;
    const bool m_kept;
    const bool m_socketTransport;
    // guarded by m_mutex except for the streams and names in it
    std::mutex m_mutex;
    ContainerChannels m_channels;
    std::int64_t m_oomKills = 0;
    bool m_paused = false;
    bool m_killed = false; // by a request to the engine
    SandboxEnd m_end = SandboxEnd::Running;
    bool m_removed = false;
    // separate, as an engine takes up to a second to answer, and no cell waits for that
    std::mutex m_statsMutex;
    ContainerStats m_stats; // guarded by m_statsMutex
};

// Removes a container and returns when it is gone; a missing one is no error.
Result<void> removeContainer(EngineApi& engine, const std::string& id);
// The container's events from now on.
Result<JsonLines> followContainer(const EngineApi& engine, const std::string& id);

} // namespace sg::sandbox
