#pragma once

#include "core/sandbox/e2b/process_stream.h"
#include "core/sandbox/e2b/remote_records.h"
#include "core/sandbox/e2b/time_keeper.h"
#include "core/sandbox/sandbox.h"
#include "core/sandbox/usage_rate.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>

namespace sg::sandbox::e2b {

// All sandboxes of one backend share this.
struct Shared {
    explicit Shared(std::filesystem::path folder)
        : records(std::move(folder))
    {
    }
    const RemoteRecords records;
    TimeKeeper keeper;
};

// The parts of a sandbox elsewhere that runs.
struct RemoteParts {
    std::shared_ptr<Service> service;
    Access access;
    std::string session;
    std::shared_ptr<Lease> lease;
    std::unique_ptr<ProcessStream> stream;
    bool isKept = false;
    std::chrono::seconds keptFor{ 0 }; // after this program has left it; 0: as long as the service allows
};

class E2bSandbox final : public Sandbox {
public:
    E2bSandbox(std::shared_ptr<Shared> shared, RemoteParts parts);
    ~E2bSandbox() override;

    [[nodiscard]] std::string name() const override;
    ByteStream& stream() override { return *m_parts.stream; }
    Result<ResourceSample> sample() override;
    [[nodiscard]] SandboxEnd state() override;
    [[nodiscard]] std::string lastWords() override;
    void end() override;
    Result<void> pause() override;
    Result<void> unpause() override;
    [[nodiscard]] bool isPaused() override { return m_isPaused; }
    [[nodiscard]] std::optional<WallTime> endsAt() override { return m_parts.lease->endsAt(); }

private:
    void leave();
    void findCause();

    const std::shared_ptr<Shared> m_shared;
    const RemoteParts m_parts; // the stream has a lock of its own
    std::atomic<bool> m_isPaused = false;
    std::mutex m_mutex;
    // Guarded by m_mutex:
    SandboxEnd m_end = SandboxEnd::Running;
    std::string m_cause;
    bool m_isGone = false; // ended there, for all that we know
};

// "CONNECTION/ID", by which it is found again.
std::string remoteName(const std::string& connection, const std::string& id);

} // namespace sg::sandbox::e2b
