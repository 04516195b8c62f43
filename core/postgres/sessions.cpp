#include "core/postgres/sessions.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace sg::postgres {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kIdleSessions = 4;

milliseconds longer(milliseconds pause)
{
    return std::clamp(pause * 2, milliseconds(50), milliseconds(1000));
}

} // namespace

Result<std::unique_ptr<Connection>> Sessions::take()
{
    {
        const std::lock_guard lock(m_mutex);
        if (!m_idle.empty()) {
            auto session = std::move(m_idle.back());
            m_idle.pop_back();
            return session;
        }
    }
    auto session = Connection::open(m_address, m_options.statementTimeoutMs);
    if (!session)
        return std::move(session.error());
    if (m_options.readOnly)
        if (auto set = (*session)->exec("SET default_transaction_read_only = on"); !set)
            return std::move(set.error());
    m_wasOpen = true;
    return std::move(*session);
}

void Sessions::giveBack(std::unique_ptr<Connection> session)
{
    const std::lock_guard lock(m_mutex);
    if (!session->isLost() && m_idle.size() < kIdleSessions)
        m_idle.push_back(std::move(session));
}

Result<bool> Sessions::hasTables()
{
    if (m_hasTables)
        return true;
    auto session = take();
    if (!session)
        return std::move(session.error());
    auto has = m_tables(**session);
    giveBack(std::move(*session));
    if (!has)
        return std::move(has.error());
    if (*has)
        m_hasTables = true;
    return *has;
}

Result<void> Sessions::open()
{
    const auto has = hasTables();
    return has ? Result<void>() : Result<void>(has.error());
}

Result<Rows> Sessions::query(const Statement& statement, Waits waits)
{
    using Time = std::chrono::steady_clock;
    milliseconds pause{ 0 };
    Time::time_point busyUntil{}; // set by the first wait for another transaction
    while (true) {
        const bool mayWait = m_wasOpen;
        const auto has = hasTables();
        if (has && !*has)
            return Rows();
        auto session = has ? take() : Result<std::unique_ptr<Connection>>(has.error());
        auto rows = session ? (*session)->query(statement) : Result<Rows>(session.error());
        const bool isLost = !session || (*session)->isLost();
        const bool isBusy = session && !isLost && !rows && rows.error().code == Errc::Busy;
        if (session)
            giveBack(std::move(*session));
        if (rows)
            m_outage->ended();
        const bool isAway = isLost && !rows && rows.error().code == Errc::Unavailable;
        if (rows || !mayWait || !(isAway || isBusy))
            return rows;
        std::unique_lock lock(m_mutex);
        if (isAway)
            m_idle.clear(); // sessions of a server that ended are as useless as this one
        if (!session && waits == Waits::Never)
            return rows;
        const auto now = Time::now();
        if (isBusy) {
            if (busyUntil == Time::time_point())
                busyUntil = now + milliseconds(m_options.reconnectMs);
            pause = std::max(pause, milliseconds(50));
            if (now + pause > busyUntil)
                return rows;
        } else {
            const bool wasOld = session && pause.count() == 0; // the server may have begun anew since
            if (!wasOld && now + pause > m_outage->waitsUntil())
                return rows;
        }
        if (m_given.wait_for(lock, pause, [this] { return m_hasGivenUp; }))
            return rows;
        lock.unlock();
        pause = longer(pause);
    }
}

void Sessions::giveUpWaiting()
{
    const std::lock_guard lock(m_mutex);
    m_hasGivenUp = true;
    m_given.notify_all();
}

} // namespace sg::postgres
