#include "core/sandbox/bubblewrap/limited_start.h"

#include <unistd.h>

namespace sg::sandbox {

LimitedStart::LimitedStart(std::shared_ptr<LauncherThread> launcher)
    : m_launcher(std::move(launcher))
    , m_mounts(findCgroupMounts())
{
    removeStaleCgroups(m_mounts);
    if (::geteuid() == 0)
        return;
    auto scope = UserScope::find(m_mounts);
    if (scope)
        m_scopes = { *scope, scope->withoutOomSetting() };
    else
        m_reason = scope.error().message;
}

Result<LimitedProcess> LimitedStart::start(BubblewrapStart start)
{
    const Limits& limits = start.plan.limits;
    auto cgroup = SessionCgroup::create(m_mounts, sessionCgroupName(), limits);
    if (cgroup) {
        start.cgroup = cgroup->get();
        auto process = startBubblewrap(start, *m_launcher);
        if (!process)
            return std::move(process.error());
        return LimitedProcess{ std::move(*process), std::move(*cgroup) };
    }
    auto scoped = startInScope(start);
    if (scoped)
        return scoped;
    start.plan.limitsByProcess = true;
    auto process = startBubblewrap(start, *m_launcher);
    if (!process)
        return std::move(process.error());
    const std::lock_guard lock(m_mutex);
    if (m_reason.empty())
        m_reason = ::geteuid() == 0 ? cgroup.error().message : scoped.error().message;
    return LimitedProcess{ std::move(*process), nullptr };
}

Result<LimitedProcess> LimitedStart::startInScope(BubblewrapStart start)
{
    std::vector<UserScope> scopes;
    {
        const std::lock_guard lock(m_mutex);
        scopes = m_scopes;
    }
    Error last{ Errc::Unavailable, "no control group can be made" };
    for (const UserScope& scope : scopes) {
        start.wrapper = scope.wrapper(start.plan.limits);
        start.environment = scope.environment();
        auto process = startBubblewrap(start, *m_launcher);
        auto cgroup = process ? limitedCgroupOf(m_mounts, process->outside.pid(), start.plan.limits)
                              : Result<std::unique_ptr<SessionCgroup>>(process.error());
        if (cgroup) {
            const std::lock_guard lock(m_mutex);
            m_scopes = { scope };
            return LimitedProcess{ std::move(*process), std::move(*cgroup) };
        }
        last = cgroup.error();
    }
    const std::lock_guard lock(m_mutex);
    m_scopes.clear(); // systemd is not tried again
    return last;
}

std::string LimitedStart::reason() const
{
    const std::lock_guard lock(m_mutex);
    return m_reason;
}

} // namespace sg::sandbox
