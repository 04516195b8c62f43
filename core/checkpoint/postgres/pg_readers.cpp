#include "core/checkpoint/postgres/pg_readers.h"

#include "core/checkpoint/postgres/pg_schema.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

namespace sg::checkpoint {
namespace {

constexpr std::size_t kIdleSessions = 4;

} // namespace

Result<std::unique_ptr<PgConnection>> PgReaders::take()
{
    {
        const std::lock_guard lock(m_mutex);
        if (!m_idle.empty()) {
            auto session = std::move(m_idle.back());
            m_idle.pop_back();
            return session;
        }
    }
    auto session = PgConnection::open(m_address, m_options.statementTimeoutMs);
    if (!session)
        return std::move(session.error());
    if (auto set = (*session)->exec("SET default_transaction_read_only = on"); !set)
        return std::move(set.error());
    m_wasOpen = true;
    return std::move(*session);
}

void PgReaders::giveBack(std::unique_ptr<PgConnection> session)
{
    const std::lock_guard lock(m_mutex);
    if (!session->isLost() && m_idle.size() < kIdleSessions)
        m_idle.push_back(std::move(session));
}

Result<bool> PgReaders::hasTables()
{
    if (m_hasTables)
        return true;
    auto session = take();
    if (!session)
        return std::move(session.error());
    auto schema = readPgSchema(**session, m_address.shown);
    giveBack(std::move(*session));
    if (!schema)
        return std::move(schema.error());
    m_hasTables = schema->hasTables;
    return schema->hasTables;
}

Result<void> PgReaders::open()
{
    const auto has = hasTables();
    return has ? Result<void>() : Result<void>(has.error());
}

Result<PgRows> PgReaders::query(const PgStatement& statement, Waits waits)
{
    std::chrono::milliseconds pause{ 0 };
    while (true) {
        const bool mayWait = m_wasOpen;
        const auto has = hasTables();
        if (has && !*has)
            return PgRows();
        auto session = has ? take() : Result<std::unique_ptr<PgConnection>>(has.error());
        auto rows = session ? (*session)->query(statement) : Result<PgRows>(session.error());
        const bool isLost = !session || (*session)->isLost();
        if (session)
            giveBack(std::move(*session));
        if (rows)
            m_outage->ended();
        if (rows || !isLost || !mayWait || rows.error().code != Errc::Unavailable)
            return rows;
        std::unique_lock lock(m_mutex);
        m_idle.clear(); // sessions of a server that ended are as useless as this one
        if (!session && waits == Waits::Never)
            return rows;
        const bool wasOld = session && pause.count() == 0; // the server may have begun anew since
        if (!wasOld && std::chrono::steady_clock::now() + pause > m_outage->waitsUntil())
            return rows;
        if (m_given.wait_for(lock, pause, [this] { return m_hasGivenUp; }))
            return rows;
        lock.unlock();
        pause = std::clamp(pause * 2, std::chrono::milliseconds(50), std::chrono::milliseconds(1000));
    }
}

void PgReaders::giveUpWaiting()
{
    const std::lock_guard lock(m_mutex);
    m_hasGivenUp = true;
    m_given.notify_all();
}

} // namespace sg::checkpoint
