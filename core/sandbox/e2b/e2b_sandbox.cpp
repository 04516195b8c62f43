#include "core/sandbox/e2b/e2b_sandbox.h"

#include "core/base/log.h"
#include "core/base/printable.h"

#include <algorithm>
#include <array>

namespace sg::sandbox::e2b {
namespace {

using namespace std::chrono_literals;
using std::chrono::system_clock;

// A kept sandbox without a time of its own gets the first of these times that its service allows.
constexpr std::array<std::chrono::seconds, 2> kLongest{ std::chrono::hours(24), std::chrono::hours(1) };
constexpr auto kClockSkew = 5s;

} // namespace

std::string remoteName(const std::string& connection, const std::string& id)
{
    return connection + '/' + id;
}

E2bSandbox::E2bSandbox(std::shared_ptr<Shared> shared, RemoteParts parts)
    : m_shared(std::move(shared))
    , m_parts(std::move(parts))
{
    m_shared->keeper.add(m_parts.lease, m_parts.service->connection().time);
}

E2bSandbox::~E2bSandbox()
{
    if (m_parts.isKept && state() == SandboxEnd::Running)
        leave();
    else
        end();
}

std::string E2bSandbox::name() const
{
    return remoteName(m_parts.service->connection().name, m_parts.access.id);
}

// It lives on at its service, for as long as it was meant to wait for somebody.
void E2bSandbox::leave()
{
    m_shared->keeper.remove(m_parts.lease.get());
    m_parts.stream->close();
    if (m_isPaused)
        return;
    if (m_parts.keptFor.count() > 0) {
        (void)m_parts.service->setTime(m_parts.access.id, m_parts.keptFor);
        return;
    }
    for (const std::chrono::seconds time : kLongest)
        if (m_parts.service->setTime(m_parts.access.id, time))
            return;
}

Result<ResourceSample> E2bSandbox::sample()
{
    if (m_isPaused)
        return Error{ Errc::Unsupported, "a paused sandbox tells no use of resources" };
    auto told = m_parts.service->metrics(m_parts.stream->access());
    if (!told && told.error().code == Errc::PermissionDenied && m_parts.stream->renew())
        told = m_parts.service->metrics(m_parts.stream->access());
    if (!told)
        return told.error();
    ResourceSample made;
    made.time = system_clock::now();
    // The service tells how busy all its processors are together; of the disk it tells the whole machine's.
    if (const Value& percent = (*told)["cpu_used_pct"]; percent.isNumber())
        made.cpuPercent =
            percent.asDouble() * static_cast<double>(std::max<std::int64_t>(1, told->intOr("cpu_count", 1)));
    made.memoryBytes = std::max<std::int64_t>(0, told->intOr("mem_used", 0));
    made.memoryLimit = std::max<std::int64_t>(0, told->intOr("mem_total", 0));
    return made;
}

// Called with m_mutex held, after the stream has ended. Asks the service what became of the sandbox.
void E2bSandbox::findCause()
{
    if (!m_cause.empty())
        return;
    const std::string told = printableText(m_parts.stream->errors());
    const auto now = m_parts.service->info(m_parts.access.id);
    if (!now && now.error().code == Errc::NotFound) {
        m_isGone = true;
        m_end = SandboxEnd::Lost;
        const bool isLate = m_parts.lease->endsAt() <= system_clock::now() + kClockSkew;
        m_cause = isLate ? "the service has ended the sandbox: its time was over"
                         : "the service has ended the sandbox, or somebody else has";
        return;
    }
    m_end = m_parts.stream->hasEnded() ? SandboxEnd::Exited : SandboxEnd::Lost;
    m_cause = told.empty() ? "the connection to the sandbox broke off" : told;
    if (now && now->isPaused)
        m_cause = "the service has paused the sandbox";
    else if (!now)
        m_cause += "; " + printableText(now.error().message);
}

SandboxEnd E2bSandbox::state()
{
    const std::lock_guard lock(m_mutex);
    if (m_end == SandboxEnd::Running && !m_isPaused
        && (m_parts.stream->hasEnded() || m_parts.stream->isCutOff()))
        findCause();
    return m_end;
}

std::string E2bSandbox::lastWords()
{
    const std::lock_guard lock(m_mutex);
    if (m_cause.empty() && (m_parts.stream->hasEnded() || m_parts.stream->isCutOff()))
        findCause();
    return m_cause.empty() ? printableText(m_parts.stream->errors()) : m_cause;
}

void E2bSandbox::end()
{
    m_shared->keeper.remove(m_parts.lease.get());
    m_parts.stream->close();
    const std::lock_guard lock(m_mutex);
    if (m_end == SandboxEnd::Running)
        m_end = SandboxEnd::Stopped;
    if (m_isGone)
        return m_shared->records.remove(m_parts.service->connection().name, m_parts.session);
    const auto killed = m_parts.service->kill(m_parts.access.id);
    if (!killed) {
        // Its record stays, so that it is looked for; its service ends it when its time is over.
        logMessage(LogLevel::Warning, name() + ": " + killed.error().message);
        return;
    }
    m_isGone = true;
    m_shared->records.remove(m_parts.service->connection().name, m_parts.session);
}

Result<void> E2bSandbox::pause()
{
    const std::lock_guard lock(m_mutex);
    if (m_isPaused)
        return {};
    m_parts.stream->hold();
    auto paused = m_parts.service->pause(m_parts.access.id);
    if (!paused) {
        m_parts.stream->letGo();
        return paused;
    }
    m_shared->keeper.remove(m_parts.lease.get());
    m_isPaused = true;
    return {};
}

// The runner tells by being there whether its memory is.
Result<void> E2bSandbox::unpause()
{
    const std::lock_guard lock(m_mutex);
    if (!m_isPaused)
        return {};
    const std::chrono::seconds time = m_parts.service->connection().time;
    auto access = m_parts.service->connect(m_parts.access.id, time);
    if (!access)
        return std::move(access.error());
    m_parts.lease->setEndsAt(system_clock::now() + time);
    m_shared->keeper.add(m_parts.lease, time);
    m_isPaused = false;
    const Access before = m_parts.stream->access();
    if (access->token.empty())
        access->token = before.token;
    if (access->trafficToken.empty())
        access->trafficToken = before.trafficToken;
    if (access->version.empty())
        access->version = before.version;
    auto followed = m_parts.stream->follow(*access);
    if (!followed) {
        m_cause = followed.error().code == Errc::NotFound
            ? "memory lost: the service did not keep it while the sandbox was paused"
            : "the sandbox was resumed, but its runner is not reached: " + followed.error().message;
        m_end = SandboxEnd::Lost;
        m_parts.stream->letGo();
        return Error{ Errc::Unavailable, name() + ": " + m_cause };
    }
    return {};
}

} // namespace sg::sandbox::e2b
