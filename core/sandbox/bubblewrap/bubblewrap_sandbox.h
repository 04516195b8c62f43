#pragma once

#include "core/sandbox/bubblewrap/bubblewrap_process.h"
#include "core/sandbox/descriptor_stream.h"
#include "core/sandbox/folder_view.h"
#include "core/sandbox/own_user.h"
#include "core/sandbox/usage_rate.h"

#include <atomic>
#include <memory>
#include <mutex>

namespace sg::sandbox {

class BubblewrapSandbox final : public Sandbox, public FolderView {
public:
    BubblewrapSandbox(BubblewrapProcess process, std::unique_ptr<SessionCgroup> cgroup,
                      std::shared_ptr<LauncherThread> launcher, const Limits& limits, OwnUser user);
    ~BubblewrapSandbox() override;

    [[nodiscard]] std::string name() const override;
    ByteStream& stream() override { return m_stream; }
    Result<ResourceSample> sample() override;
    [[nodiscard]] SandboxEnd state() override;
    [[nodiscard]] std::string lastWords() override;
    void end() override;
    Result<void> pause() override;
    Result<void> unpause() override;
    [[nodiscard]] bool isPaused() override;
    Result<void> setLimits(const Limits& limits) override;
    Result<Fd> openSessionFolder() override;
    [[nodiscard]] bool limitsEnforced() const { return m_limitsEnforced; }

private:
    [[nodiscard]] SandboxEnd currentState() const; // m_mutex is held

    // constant after construction
    const std::shared_ptr<LauncherThread> m_launcher; // the end of its thread would end the sandbox
    const OwnUser m_user;
    const pid_t m_inside;
    const Fd m_insideEnd;
    const bool m_limitsEnforced;
    // has its own lock
    DescriptorStream m_stream;
    // guarded by m_mutex
    std::mutex m_mutex;
    Limits m_limits;
    std::atomic<bool> m_isPaused = false; // atomic, as a sample holds the mutex for long
    ChildProcess m_outside;
    std::unique_ptr<SessionCgroup> m_cgroup; // null: limits by process
    UsageRate m_rate;
    std::string m_lastWords;
    SandboxEnd m_end = SandboxEnd::Running;
};

} // namespace sg::sandbox
