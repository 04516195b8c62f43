#include "core/audit/audit_writer.h"

#include "core/base/clock.h"
#include "core/base/log.h"

#include <chrono>
#include <cstdint>
#include <iterator>
#include <utility>

namespace sg::audit {
namespace {

constexpr std::size_t kMostWaiting = 1000; // beyond these, callers wait for the disk
constexpr std::size_t kMostHeld = 10'000; // rows kept while they cannot be written
constexpr std::chrono::seconds kPause{ 1 }; // until they are tried again
// The row for a cell's end waits this long for the row of the next cell's start.
constexpr std::chrono::milliseconds kGathering{ 2 };

// These errors can be caused by a single row, so others may be written without it.
bool isOfARow(Errc code)
{
    return code == Errc::Conflict || code == Errc::LimitExceeded || code == Errc::InvalidArgument;
}

} // namespace

AuditWriter::AuditWriter(std::filesystem::path file)
    : m_file(std::move(file))
    , m_writer([this](const std::stop_token& stop) { work(stop); })
{
}

AuditWriter::~AuditWriter()
{
    m_writer.request_stop();
    m_writer.join();
    if (const std::size_t lost = m_lost + m_waiting.size(); lost > 0)
        logMessage(LogLevel::Warning,
                   "rows that could not be written to the audit log and are lost: " + std::to_string(lost));
}

void AuditWriter::setTenant(const std::string& tenant)
{
    const std::lock_guard lock(m_waitingMutex);
    m_tenant = tenant;
}

// The caller holds the mutex.
Result<void> AuditWriter::append(std::span<AuditEntry> entries)
{
    if (!m_log) {
        auto log = AuditLog::open(m_file, AuditLog::Access::Append);
        if (!log)
            return std::move(log.error());
        m_log = std::move(*log);
    }
    return m_log->append(entries);
}

// Called with the mutex. Returns how many rows, from the first on, are done: written, or refused for their
// content. `why` is the last failure.
std::size_t AuditWriter::write(std::span<AuditEntry> entries, Result<void>& why)
{
    why = append(entries);
    if (why) {
        for (const AuditEntry& entry : entries)
            m_rows.publish(entry); // under the mutex, so that they are in order
        return entries.size();
    }
    const bool isTheirs = isOfARow(why.error().code);
    if (isTheirs && entries.size() > 1) { // one of them may be the reason
        Result<void> last;
        for (std::size_t i = 0; i < entries.size(); ++i) {
            const std::size_t done = write(entries.subspan(i, 1), why);
            if (!why)
                last = why;
            if (done == 0)
                return i;
        }
        why = last;
        return entries.size();
    }
    if (!std::exchange(m_hasWarned, true))
        logMessage(LogLevel::Warning, "what sessions do is not audited: " + why.error().message);
    return isTheirs ? entries.size() : 0;
}

// Called with the mutex, so that later rows are written later, by any thread. An error: some still wait.
Result<void> AuditWriter::writeWaiting()
{
    std::vector<AuditEntry> waiting;
    {
        const std::lock_guard lock(m_waitingMutex);
        waiting.swap(m_waiting);
        m_isUrgent = false;
    }
    if (waiting.empty())
        return {};
    Result<void> why;
    std::int64_t refused = 0;
    const std::size_t done = write(waiting, why);
    for (std::size_t i = 0; i < done; ++i)
        refused += waiting[i].sequence == 0 ? 1 : 0;
    const std::lock_guard lock(m_waitingMutex);
    m_lost += static_cast<std::size_t>(refused);
    if (done == waiting.size())
        return {};
    waiting.erase(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(done));
    putBack(std::move(waiting));
    return why;
}

// Called with m_waitingMutex. Puts rows back before those that came since.
void AuditWriter::putBack(std::vector<AuditEntry> entries)
{
    entries.insert(entries.end(), std::make_move_iterator(m_waiting.begin()),
                   std::make_move_iterator(m_waiting.end()));
    m_waiting = std::move(entries);
    if (m_waiting.size() > kMostHeld) {
        m_lost += m_waiting.size() - kMostHeld;
        m_waiting.resize(kMostHeld);
    }
    m_notBefore = std::chrono::steady_clock::now() + kPause;
}

Result<void> AuditWriter::add(AuditEntry entry)
{
    const std::lock_guard lock(m_mutex);
    if (auto done = writeWaiting(); !done)
        return done; // otherwise it would be written before those
    {
        const std::lock_guard waiting(m_waitingMutex);
        entry.tenant = m_tenant;
    }
    Result<void> why;
    static_cast<void>(write(std::span(&entry, 1), why));
    return why;
}

void AuditWriter::addSoon(AuditEntry entry)
{
    entry.time = isoTime(std::chrono::system_clock::now());
    const bool isUrgent = entry.outcome == Outcome::Started;
    bool areTooMany = false;
    bool isAwaited = false;
    {
        const std::lock_guard lock(m_waitingMutex);
        entry.tenant = m_tenant;
        isAwaited = isUrgent || !m_isLooking;
        m_isUrgent = m_isUrgent || isUrgent;
        if (m_waiting.size() >= kMostHeld) {
            ++m_lost;
            return;
        }
        m_waiting.push_back(std::move(entry));
        areTooMany = m_waiting.size() > kMostWaiting && std::chrono::steady_clock::now() >= m_notBefore;
    }
    if (isAwaited)
        m_hasCome.notify_one();
    if (!areTooMany)
        return;
    const std::lock_guard lock(m_mutex);
    static_cast<void>(writeWaiting());
}

void AuditWriter::work(const std::stop_token& stop)
{
    std::unique_lock lock(m_waitingMutex);
    while (true) {
        m_isLooking = true;
        m_hasCome.wait_for(lock, stop, kGathering, [this] { return m_isUrgent; });
        m_isLooking = false;
        if (m_waiting.empty()) {
            if (!m_hasCome.wait(lock, stop, [this] { return !m_waiting.empty(); }))
                return; // the writer ends, and nothing waits
            continue;
        }
        if (std::chrono::steady_clock::now() < m_notBefore && !stop.stop_requested()) {
            m_hasCome.wait_until(lock, stop, m_notBefore, [] { return false; });
            continue;
        }
        const bool isLast = stop.stop_requested();
        lock.unlock();
        bool areWritten = false;
        {
            const std::lock_guard writing(m_mutex);
            areWritten = static_cast<bool>(writeWaiting());
        }
        lock.lock();
        if (isLast && !areWritten)
            return; // rows that cannot be written are given up at the end
    }
}

} // namespace sg::audit
