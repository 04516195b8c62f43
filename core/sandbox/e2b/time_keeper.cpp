#include "core/sandbox/e2b/time_keeper.h"

#include "core/base/log.h"

#include <algorithm>

namespace sg::sandbox::e2b {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;
using std::chrono::system_clock;

constexpr auto kNextTry = 5s;

} // namespace

Lease::Lease(std::shared_ptr<Service> service, std::string id, std::chrono::seconds time)
    : m_service(std::move(service))
    , m_id(std::move(id))
    , m_time(time)
    , m_endsAt(system_clock::now() + time)
{
}

WallTime Lease::endsAt()
{
    const std::lock_guard lock(m_mutex);
    return m_endsAt;
}

void Lease::setEndsAt(WallTime end)
{
    const std::lock_guard lock(m_mutex);
    m_endsAt = end;
}

Result<bool> Lease::renew()
{
    const WallTime asked = system_clock::now();
    const auto done = m_service->setTime(m_id, m_time);
    if (!done)
        return done.error().code == Errc::NotFound ? Result<bool>(false) : done.error();
    setEndsAt(asked + m_time);
    return true;
}

TimeKeeper::TimeKeeper()
    : m_thread([this](const std::stop_token& stop) { run(stop); })
{
}

TimeKeeper::~TimeKeeper() = default;

void TimeKeeper::add(const std::shared_ptr<Lease>& lease, std::chrono::seconds time)
{
    const std::lock_guard lock(m_mutex);
    const std::chrono::milliseconds every = std::chrono::milliseconds(time) / 3;
    m_kept.push_back({ lease, every, steady_clock::now() + every });
    m_changed.notify_all();
}

void TimeKeeper::remove(const Lease* lease)
{
    std::unique_lock lock(m_mutex);
    m_kept.remove_if([&](const Kept& each) { return each.lease.get() == lease; });
    m_changed.wait(lock, [&] { return m_renewing != lease; });
}

void TimeKeeper::run(const std::stop_token& stop)
{
    std::unique_lock lock(m_mutex);
    while (!stop.stop_requested()) {
        const auto first = std::ranges::min_element(m_kept, {}, &Kept::due);
        if (first == m_kept.end()) {
            m_changed.wait(lock, stop, [&] { return !m_kept.empty(); });
            continue;
        }
        if (const SteadyTime due = first->due; due > steady_clock::now()) {
            const std::size_t count = m_kept.size();
            m_changed.wait_until(lock, stop, due, [&] { return m_kept.size() != count; });
            continue;
        }
        const std::shared_ptr<Lease> lease = first->lease;
        m_renewing = lease.get();
        lock.unlock();
        const auto renewed = lease->renew();
        if (!renewed)
            logMessage(LogLevel::Warning, "a sandbox elsewhere: " + renewed.error().message);
        lock.lock();
        m_renewing = nullptr;
        m_changed.notify_all();
        const auto again =
            std::ranges::find_if(m_kept, [&](const Kept& each) { return each.lease == lease; });
        if (again == m_kept.end())
            continue;
        if (renewed && !*renewed)
            m_kept.erase(again);
        else
            again->due = steady_clock::now()
                + (renewed ? again->every : std::min<std::chrono::milliseconds>(again->every, kNextTry));
    }
}

} // namespace sg::sandbox::e2b
