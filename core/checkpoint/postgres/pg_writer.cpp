#include "core/checkpoint/postgres/pg_writer.h"

#include "core/checkpoint/postgres/pg_schema.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace sg::checkpoint {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t kMostProcesses = 32;

constexpr const char* kTake = "SELECT pg_try_advisory_lock(hashtextextended($1::text, 7305804402566946915 # "
                              "'checkpoints'::regclass::oid::bigint))";
constexpr const char* kLeave = "SELECT pg_advisory_unlock(hashtextextended($1::text, 7305804402566946915 # "
                               "'checkpoints'::regclass::oid::bigint))";
// Ends the session of that process if it holds the thread's lock: the number alone may be another's by now.
constexpr const char* kEnd =
    "SELECT pg_terminate_backend(l.pid) FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid"
    " WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1 AND l.pid = $2::int4"
    " AND a.usename = current_user AND a.datname = current_database()"
    " AND (l.classid::bigint << 32) | l.objid::bigint = hashtextextended($1::text, 7305804402566946915 # "
    "'checkpoints'::regclass::oid::bigint)";
constexpr const char* kHead = "SELECT coalesce(max(checkpoint_id), '') FROM checkpoints WHERE thread_id = "
                              "$1::text AND checkpoint_ns = ''";

bool isTrue(const postgres::Rows& rows)
{
    return rows.count() == 1 && rows.text(0, 0) == std::string_view("\x01", 1);
}

Error heldElsewhere(const ThreadId& thread, const std::string& shown)
{
    return {
        Errc::Conflict,
        "thread '" + thread.value + "' of " + shown
            + " has a run under way, here or on another machine. Stop it first, or use another thread."
    };
}

// Ends waiting when a time has passed since the first wait; the waits grow. What was tried before may have
// taken longer than that to fail.
class Patience {
public:
    enum class Why { ServerAway, SessionLost, Busy };
    Patience(postgres::Outage& outage, int totalMs)
        : m_outage(outage)
        , m_total(totalMs)
    {
    }
    bool wait(Why why)
    {
        if (why == Why::SessionLost && std::exchange(m_isFirst, false))
            return true; // the server may have begun anew since it was made
        m_isFirst = false;
        const auto now = Clock::now();
        if (why != Why::Busy)
            m_end = m_outage.waitsUntil();
        else if (m_end == Clock::time_point())
            m_end = now + m_total;
        if (now + m_next > m_end)
            return false;
        std::this_thread::sleep_for(m_next);
        m_next = std::min(m_next * 2, milliseconds(1000));
        return true;
    }

private:
    postgres::Outage& m_outage;
    const milliseconds m_total;
    bool m_isFirst = true;
    Clock::time_point m_end{}; // set by the first wait
    milliseconds m_next{ 50 };
};

} // namespace

Result<void> PgWriter::open()
{
    const std::lock_guard lock(m_mutex);
    const auto connected = connection();
    return connected ? Result<void>() : Result<void>(connected.error());
}

Result<postgres::Connection*> PgWriter::connection()
{
    if (m_connection && !m_connection->isLost())
        return m_connection.get();
    m_connection.reset();
    auto opened = postgres::Connection::open(m_address, m_options.statementTimeoutMs);
    if (!opened)
        return std::move(opened.error());
    if (auto ready = preparePgForWriting(**opened, m_address.shown); !ready)
        return std::move(ready.error());
    // Noted first: a session that is lost while it takes a lock may hold it.
    if (m_processes.size() >= kMostProcesses)
        m_processes.erase(m_processes.begin());
    m_processes.push_back((*opened)->serverProcess());
    if (auto again = holdAgain(**opened); !again)
        return std::move(again.error());
    m_connection = std::move(*opened);
    m_wasOpen = true;
    return m_connection.get();
}

// A session that was lost may live on where the server has not noticed, or still be at work.
Result<bool> PgWriter::take(postgres::Connection& connection, const ThreadId& thread) const
{
    auto taken = connection.query({ kTake, { postgres::Parameter::text(thread.value) } });
    if (!taken)
        return std::move(taken.error());
    if (isTrue(*taken))
        return true;
    for (const int process : m_processes) {
        if (process == connection.serverProcess())
            continue;
        auto ended = connection.query(
            { kEnd, { postgres::Parameter::text(thread.value), postgres::Parameter::number(process) } });
        if (!ended)
            return std::move(ended.error());
        if (ended->count() > 0)
            return Error{ Errc::Unavailable,
                          "an earlier connection to " + m_address.shown + " still holds thread '"
                              + thread.value + "'" };
    }
    return false;
}

Result<void> PgWriter::holdAgain(postgres::Connection& connection)
{
    for (auto& [thread, held] : m_held) {
        const auto taken = take(connection, thread);
        if (!taken)
            return taken.error();
        auto head = connection.query({ kHead, { postgres::Parameter::text(thread.value) } });
        if (!head)
            return std::move(head.error());
        // Nobody knows whether the transaction that was under way has been committed, so either head counts
        // as ours.
        const auto written = m_heads.find(thread);
        const bool isOurs = head->text(0, 0) == held.head
            || (written != m_heads.end() && head->text(0, 0) == written->second);
        held.isTaken = held.isTaken || !*taken || !isOurs;
    }
    return {};
}

Result<void> PgWriter::checkHeld() const
{
    for (const ThreadId& thread : m_threads)
        if (const auto held = m_held.find(thread); held != m_held.end() && held->second.isTaken)
            return Error{ Errc::Conflict,
                          "the connection to " + m_address.shown
                              + " was lost, and another program went on with thread '" + thread.value
                              + "' meanwhile: this run cannot store anything more. See how far it came with: "
                                "sandglass history" };
    return {};
}

// Sends them as one transaction, again on a new session if that ends before it confirmed.
Result<void> PgWriter::send(const Statements& statements)
{
    Patience patience(*m_outage, m_options.reconnectMs);
    const bool mayWait = m_wasOpen;
    while (true) {
        std::optional<Error> failed;
        bool isWorthATry = mayWait;
        Patience::Why why = Patience::Why::ServerAway;
        if (auto ready = connection(); !ready) {
            failed = std::move(ready.error());
            isWorthATry = mayWait && failed->code == Errc::Unavailable;
        } else if (auto held = checkHeld(); !held) {
            return held;
        } else if (auto done = (*ready)->run(statements); !done) {
            failed = std::move(done.error());
            isWorthATry = (*ready)->isLost() || failed->code == Errc::Busy;
            why = (*ready)->isLost() ? Patience::Why::SessionLost : Patience::Why::Busy;
        } else {
            m_outage->ended();
            return {};
        }
        if (!isWorthATry || !patience.wait(why))
            return *std::move(failed);
    }
}

void PgWriter::rollback()
{
    if (m_hasBegun && m_connection && !m_connection->isLost())
        if (auto done = m_connection->exec("ROLLBACK"); !done)
            m_connection.reset(); // ends the transaction, too
}

Result<void> PgWriter::commit()
{
    if (m_hasBegun && m_connection && !m_connection->isLost()) {
        if (auto held = checkHeld(); !held) {
            rollback();
            return held;
        }
        if (m_connection->hasFailedTransaction()) {
            rollback();
            return Error{ Errc::Io, m_address.shown + ": a statement of the transaction failed" };
        }
        Statements rest = m_waiting;
        rest.push_back({ "COMMIT", {} });
        auto done = m_connection->run(rest);
        if (done && !m_connection->isInTransaction())
            return {};
        if (!m_connection->isLost()) {
            rollback();
            return done ? Error{ Errc::Io, m_address.shown + " did not commit" } : std::move(done.error());
        }
    }
    Statements all = std::move(m_sent);
    std::ranges::move(m_waiting, std::back_inserter(all));
    return all.empty() ? Result<void>() : send(all);
}

Result<void> PgWriter::together(const std::function<Result<void>()>& work,
                                const std::function<void()>& committed)
{
    if (isTogetherHere())
        return work();
    const std::lock_guard lock(m_mutex);
    m_waiting.clear();
    m_sent.clear();
    m_hasBegun = false;
    m_threads.clear();
    m_heads.clear();
    m_togetherThread = std::this_thread::get_id();
    auto done = work();
    if (done)
        done = commit();
    else
        rollback();
    m_togetherThread = std::thread::id();
    if (!done)
        return done;
    for (const auto& [thread, head] : m_heads)
        if (const auto held = m_held.find(thread); held != m_held.end())
            held->second.head = std::max(held->second.head, head);
    if (committed)
        committed();
    return done;
}

void PgWriter::add(const ThreadId& thread, postgres::Statement statement)
{
    m_threads.insert(thread);
    m_waiting.push_back(std::move(statement));
}

void PgWriter::addHead(const CheckpointRef& ref)
{
    if (!ref.ns.empty())
        return;
    std::string& head = m_heads[ref.thread];
    head = std::max(head, ref.id.value);
}

Result<postgres::Rows> PgWriter::query(const postgres::Statement& statement)
{
    auto ready = connection();
    if (!ready)
        return std::move(ready.error());
    postgres::Connection& session = **ready;
    if (m_hasBegun && !session.isInTransaction())
        return Error{ Errc::Unavailable,
                      "the connection to " + m_address.shown + " was lost within a transaction" };
    Statements all;
    if (!m_hasBegun)
        all.push_back({ "BEGIN", {} });
    all.insert(all.end(), m_waiting.begin(), m_waiting.end());
    all.push_back(statement);
    m_hasBegun = true;
    std::ranges::move(m_waiting, std::back_inserter(m_sent));
    m_waiting.clear();
    auto rows = session.run(all);
    if (!rows)
        return std::move(rows.error());
    return rows->empty() ? postgres::Rows() : std::move(rows->back());
}

Result<void> PgWriter::hold(const ThreadId& thread)
{
    const std::lock_guard lock(m_mutex);
    if (m_held.contains(thread))
        return heldElsewhere(thread, m_address.shown);
    Patience patience(*m_outage, m_options.reconnectMs);
    while (true) {
        auto ready = connection();
        const bool mayWait = m_wasOpen;
        auto taken = ready ? take(**ready, thread) : Result<bool>(std::move(ready.error()));
        auto head = taken ? (*ready)->query({ kHead, { postgres::Parameter::text(thread.value) } })
                          : Result<postgres::Rows>(std::move(taken.error()));
        if (head) {
            if (!*taken)
                return heldElsewhere(thread, m_address.shown);
            m_held[thread] = { std::string(head->text(0, 0)), false };
            m_outage->ended();
            return {};
        }
        const auto why = m_connection ? Patience::Why::SessionLost : Patience::Why::ServerAway;
        if (!mayWait || head.error().code != Errc::Unavailable || !patience.wait(why))
            return std::move(head.error());
    }
}

void PgWriter::release(const ThreadId& thread)
{
    const std::lock_guard lock(m_mutex);
    if (m_held.erase(thread) == 0 || !m_connection || m_connection->isLost())
        return; // a session's end releases it, too
    if (!m_connection->query({ kLeave, { postgres::Parameter::text(thread.value) } }))
        m_connection.reset();
}

} // namespace sg::checkpoint
