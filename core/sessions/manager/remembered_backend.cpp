#include "core/sessions/manager/remembered_backend.h"

#include "core/sandbox/egress/egress_folder.h"

#include <mutex>
#include <optional>
#include <utility>

namespace sg::sessions {
namespace {

using std::chrono::steady_clock;

class RememberedBackend final : public sandbox::SandboxBackend {
public:
    RememberedBackend(std::unique_ptr<sandbox::SandboxBackend> backend, std::chrono::milliseconds validity)
        : m_backend(std::move(backend))
        , m_validity(validity)
    {
    }

    Result<sandbox::BackendInfo> probe() override
    {
        {
            const std::lock_guard lock(m_mutex);
            if (m_info && steady_clock::now() - m_probed < m_validity)
                return *m_info;
        }
        return probeNow();
    }

    Result<std::unique_ptr<sandbox::Sandbox>> start(const sandbox::SandboxSpec& spec) override
    {
        const auto probedBefore = lastProbe();
        auto started = m_backend->start(spec);
        if (started || started.error().code != Errc::Unavailable)
            return started;
        // A caller that probed just now has a fresh answer; an older one may be outdated.
        if (!probedBefore || steady_clock::now() - *probedBefore < kJustNow)
            return started;
        if (auto info = probeNow(); !info)
            return std::move(info.error());
        return m_backend->start(spec);
    }

    Result<std::vector<sandbox::FoundSandbox>> find() override { return m_backend->find(); }
    Result<std::unique_ptr<sandbox::Sandbox>> attach(const sandbox::FoundSandbox& found) override
    {
        return m_backend->attach(found);
    }
    // The session's egress folder is removed as well: without the sandbox nobody would know whose it was.
    Result<void> remove(const sandbox::FoundSandbox& found) override
    {
        auto removed = m_backend->remove(found);
        if (removed)
            sandbox::egress::EgressFolder::forget(found.session.value);
        return removed;
    }
    Result<std::string> pythonIdentity(const sandbox::SandboxSpec& spec) override
    {
        return m_backend->pythonIdentity(spec);
    }

private:
    static constexpr std::chrono::milliseconds kJustNow{ 100 };

    Result<sandbox::BackendInfo> probeNow()
    {
        auto info = m_backend->probe();
        const std::lock_guard lock(m_mutex);
        m_info = info ? std::optional(*info) : std::nullopt;
        m_probed = steady_clock::now();
        return info;
    }
    std::optional<steady_clock::time_point> lastProbe()
    {
        const std::lock_guard lock(m_mutex);
        return m_info ? std::optional(m_probed) : std::nullopt;
    }

    const std::unique_ptr<sandbox::SandboxBackend> m_backend;
    const std::chrono::milliseconds m_validity;
    std::mutex m_mutex;
    std::optional<sandbox::BackendInfo> m_info; // guarded by m_mutex
    steady_clock::time_point m_probed; // guarded by m_mutex
};

} // namespace

std::unique_ptr<sandbox::SandboxBackend> rememberProbe(std::unique_ptr<sandbox::SandboxBackend> backend,
                                                       std::chrono::milliseconds validity)
{
    return std::make_unique<RememberedBackend>(std::move(backend), validity);
}

} // namespace sg::sessions
