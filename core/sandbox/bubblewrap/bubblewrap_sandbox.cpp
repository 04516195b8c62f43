#include "core/sandbox/bubblewrap/bubblewrap_sandbox.h"

#include "core/base/log.h"
#include "core/sandbox/bubblewrap/process_tree.h"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>

namespace sg::sandbox {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kMaxLastWords = 16384;

bool isReadable(int fd, int timeoutMs)
{
    pollfd watched{ fd, POLLIN, 0 };
    return ::poll(&watched, 1, timeoutMs) > 0;
}

} // namespace

BubblewrapSandbox::BubblewrapSandbox(BubblewrapProcess process, std::unique_ptr<SessionCgroup> cgroup,
                                     std::shared_ptr<LauncherThread> launcher, const Limits& limits,
                                     OwnUser user)
    : m_launcher(std::move(launcher))
    , m_user(std::move(user))
    , m_inside(process.inside)
    , m_insideEnd(std::move(process.insideEnd))
    , m_limitsEnforced(cgroup != nullptr)
    , m_stream(std::move(process.stream))
    , m_limits(limits)
    , m_outside(std::move(process.outside))
    , m_cgroup(std::move(cgroup))
{
}

BubblewrapSandbox::~BubblewrapSandbox()
{
    end();
}

std::string BubblewrapSandbox::name() const
{
    return "bubblewrap pid " + std::to_string(m_inside);
}

Result<Fd> BubblewrapSandbox::openSessionFolder()
{
    return openFolderOfProcess(m_inside, m_insideEnd.get(), "session");
}

SandboxEnd BubblewrapSandbox::currentState() const
{
    if (m_end != SandboxEnd::Running || !isReadable(m_insideEnd.get(), 0))
        return m_end;
    return m_cgroup && m_cgroup->usage().oomKills > 0 ? SandboxEnd::OutOfMemory : SandboxEnd::Exited;
}

SandboxEnd BubblewrapSandbox::state()
{
    const std::lock_guard lock(m_mutex);
    return m_end = currentState();
}

Result<ResourceSample> BubblewrapSandbox::sample()
{
    const std::lock_guard lock(m_mutex);
    if (m_end = currentState(); m_end != SandboxEnd::Running)
        return Error{ Errc::NotFound, name() + " has ended" };
    ResourceSample sample;
    sample.pidsLimit = m_limits.pids;
    if (m_cgroup) {
        const CgroupUsage usage = m_cgroup->usage();
        sample.cpuSeconds = usage.cpuSeconds;
        sample.memoryBytes = usage.memoryBytes;
        sample.memoryLimit = m_limits.memoryBytes;
        sample.pids = usage.pids;
        sample.oomKills = usage.oomKills;
        sample.oomKillsKnown = true;
        sample.throttled = usage.throttled;
    } else {
        const TreeUsage usage = treeUsage(m_inside);
        sample.cpuSeconds = usage.cpuSeconds;
        sample.memoryBytes = usage.memoryBytes;
        sample.pids = usage.threads;
    }
    sample.time = std::chrono::system_clock::now();
    sample.cpuPercent = m_rate.percent(sample.cpuSeconds, std::chrono::steady_clock::now());
    return sample;
}

Result<void> BubblewrapSandbox::pause()
{
    const std::lock_guard lock(m_mutex);
    if (m_end = currentState(); m_end != SandboxEnd::Running)
        return Error{ Errc::NotFound, name() + " has ended" };
    if (!m_isPaused && !stopTree(m_inside))
        return Error{ Errc::Busy, name() + " starts processes faster than they can be stopped" };
    m_isPaused = true;
    return {};
}

Result<void> BubblewrapSandbox::unpause()
{
    const std::lock_guard lock(m_mutex);
    if (m_end = currentState(); m_end != SandboxEnd::Running)
        return Error{ Errc::NotFound, name() + " has ended" };
    continueTree(m_inside);
    m_isPaused = false;
    return {};
}

bool BubblewrapSandbox::isPaused()
{
    return m_isPaused;
}

Result<void> BubblewrapSandbox::setLimits(const Limits& limits)
{
    const std::lock_guard lock(m_mutex);
    if (!m_cgroup)
        return Error{ Errc::Unsupported,
                      name()
                          + ": its limits are those of each process (weak limits) and fixed while it runs" };
    if (auto set = m_cgroup->setLimits(limits); !set)
        return std::move(set.error()).during("change the limits of " + name());
    m_limits.memoryBytes = limits.memoryBytes;
    m_limits.pids = limits.pids;
    m_limits.cpus = limits.cpus;
    return {};
}

std::string BubblewrapSandbox::lastWords()
{
    const std::lock_guard lock(m_mutex);
    for (std::string more = readLastWords(m_outside); !more.empty() && m_lastWords.size() < kMaxLastWords;
         more = readLastWords(m_outside))
        m_lastWords += (m_lastWords.empty() ? "" : "\n") + more;
    return m_lastWords;
}

void BubblewrapSandbox::end()
{
    m_stream.close();
    const std::lock_guard lock(m_mutex);
    if (m_end = currentState(); m_end == SandboxEnd::Running)
        m_end = SandboxEnd::Stopped;
    // Process 1 is killed first: bubblewrap outside then reaps it and ends by itself.
    ::syscall(SYS_pidfd_send_signal, m_insideEnd.get(), SIGKILL, nullptr, 0);
    if (!isReadable(m_insideEnd.get(), 10000))
        logMessage(LogLevel::Warning, name() + ": a process in it cannot be ended, the kernel holds it");
    if (!m_outside.wait(2s)) {
        m_outside.kill(SIGKILL);
        (void)m_outside.wait(2s);
    }
    m_cgroup.reset();
}

} // namespace sg::sandbox
