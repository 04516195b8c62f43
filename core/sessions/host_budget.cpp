#include "core/sessions/host_budget.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace sg::sessions {
namespace {

// Runs and cells end without notifying those that wait, so these look again at this interval.
constexpr std::chrono::milliseconds kLookAgain{ 200 };
// The wait for memory that other programs hold ends; without an end two programs could wait for each other.
constexpr std::chrono::minutes kPatienceWithOthers{ 10 };

} // namespace

HostBudget::HostBudget(const HostBudgetLimits& limits, Host* host)
    : m_limits(limits)
    , m_ledger(limits.memoryBytes > 0 && !limits.shared.empty()
                   ? std::optional<MemoryLedger>(std::in_place, limits.shared, limits.memoryBytes)
                   : std::nullopt)
    , m_host(host)
{
}

HostBudget::Place::Place(HostBudget* budget, ThreadId thread, std::int64_t memoryBytes,
                         MemoryLedger::Share share)
    : m_budget(budget)
    , m_thread(std::move(thread))
    , m_memoryBytes(memoryBytes)
    , m_share(std::move(share))
{
}

HostBudget::Place::Place(Place&& other) noexcept
    : m_budget(std::exchange(other.m_budget, nullptr))
    , m_thread(std::move(other.m_thread))
    , m_memoryBytes(other.m_memoryBytes)
    , m_share(std::move(other.m_share))
{
}

HostBudget::Place& HostBudget::Place::operator=(Place&& other) noexcept
{
    std::swap(m_budget, other.m_budget);
    std::swap(m_thread, other.m_thread);
    std::swap(m_memoryBytes, other.m_memoryBytes);
    std::swap(m_share, other.m_share);
    return *this;
}

HostBudget::Place::~Place()
{
    m_share = {}; // before release() wakes others
    if (m_budget != nullptr)
        m_budget->release(m_thread, m_memoryBytes);
}

bool HostBudget::fits(std::int64_t memoryBytes) const
{
    return (m_limits.sessions == 0 || m_sessions < m_limits.sessions)
        && (m_limits.memoryBytes == 0 || m_memoryBytes + memoryBytes <= m_limits.memoryBytes)
        && (!m_ledger || m_ledger->hasRoom(memoryBytes));
}

// A session that is too large for the room there is now still holds up those behind it: otherwise smaller
// ones would overtake it for ever.
HostBudget::Line::const_iterator HostBudget::first() const
{
    auto best = m_line.begin();
    for (auto waiter = m_line.begin(); waiter != m_line.end(); ++waiter)
        if (held(waiter->wish.thread) < held(best->wish.thread))
            best = waiter;
    return best;
}

bool HostBudget::isNext(Line::const_iterator waiter) const
{
    return first() == waiter && fits(waiter->wish.memoryBytes);
}

int HostBudget::held(const ThreadId& thread) const
{
    const auto found = m_byThread.find(thread);
    return found == m_byThread.end() ? 0 : found->second;
}

int HostBudget::ahead(Line::const_iterator waiter) const
{
    return first() == waiter ? 0 : static_cast<int>(std::distance(m_line.begin(), waiter));
}

std::string HostBudget::reason(int ahead) const
{
    std::string text = "waits for room on this machine: " + std::to_string(m_sessions)
        + (m_sessions == 1 ? " session is" : " sessions are") + " alive";
    if (m_limits.sessions > 0)
        text += ", at most " + std::to_string(m_limits.sessions);
    if (m_limits.memoryBytes > 0)
        text += "; " + std::to_string((m_ledger ? m_ledger->givenAway() : m_memoryBytes) >> 20) + " of "
            + std::to_string(m_limits.memoryBytes >> 20) + " MiB are given away"
            + (othersHold() ? ", also to other programs of this user" : "");
    return text + (ahead > 0 ? "; " + std::to_string(ahead) + " came before" : "");
}

std::optional<HostBudget::Place> HostBudget::take(const ThreadId& thread, std::int64_t memoryBytes)
{
    MemoryLedger::Share share;
    if (m_ledger) {
        auto taken = m_ledger->take(memoryBytes);
        if (!taken)
            return std::nullopt;
        share = std::move(*taken);
    }
    ++m_sessions;
    m_memoryBytes += memoryBytes;
    ++m_byThread[thread];
    return Place(this, thread, memoryBytes, std::move(share));
}

bool HostBudget::othersHold() const
{
    constexpr std::int64_t kRounding = 1 << 20; // each of our sessions is rounded up by less than this
    return m_ledger && m_ledger->givenAway() > m_memoryBytes + m_sessions * kRounding;
}

bool HostBudget::isAnotherWaiting() const
{
    return m_ledger && waitingCount() == 0 && m_ledger->isAnyWaiting();
}

void HostBudget::release(const ThreadId& thread, std::int64_t memoryBytes)
{
    const std::lock_guard lock(m_mutex);
    --m_sessions;
    m_memoryBytes -= memoryBytes;
    if (--m_byThread[thread] == 0)
        m_byThread.erase(thread);
    m_changed.notify_all();
}

// A waiting run's room comes when another run ends; where that one waits as well, neither ever ends.
bool HostBudget::allHoldersWait() const
{
    return !m_byThread.empty() && std::ranges::all_of(m_byThread, [&](const auto& holder) {
        return std::ranges::any_of(m_line, [&](const Waiter& waiter) {
            return waiter.wish.isOfRun && waiter.wish.thread == holder.first;
        });
    });
}

// Makes room for the first waiter: a session that nobody uses ends or, where no place would ever come free,
// the run that holds the most is refused. False: the waiter can only wait.
bool HostBudget::makeRoom(Line::const_iterator waiter, Lock& lock)
{
    const ThreadId thread = waiter->wish.thread;
    lock.unlock();
    const bool isMade = m_host->makeRoom(thread);
    lock.lock();
    if (isMade || !allHoldersWait())
        return isMade;
    if (othersHold() && std::chrono::steady_clock::now() - waiter->since < kPatienceWithOthers)
        return false;
    std::vector<ThreadId> holders;
    for (const auto& [holder, count] : m_byThread)
        holders.push_back(holder);
    lock.unlock();
    const bool areRuns =
        std::ranges::all_of(holders, [&](const ThreadId& holder) { return m_host->isInRun(holder); });
    lock.lock();
    // A run that waits does not end meanwhile, except where it was stopped; then it no longer waits either.
    if (!areRuns || !allHoldersWait() || isNext(waiter))
        return false;
    auto most = m_line.end();
    for (auto each = m_line.begin(); each != m_line.end(); ++each) {
        if (each->isRefused)
            return false; // its places are about to come free
        if (each->wish.isOfRun
            && (most == m_line.end() || held(each->wish.thread) >= held(most->wish.thread)))
            most = each;
    }
    most->isRefused = true;
    m_changed.notify_all();
    return true;
}

Error HostBudget::refusal(const Wish& wish) const
{
    const int count = held(wish.thread);
    return { Errc::LimitExceeded,
             "all room for sessions on this machine is held by runs that wait for more of it: this one, of "
             "thread "
                 + wish.thread.value + ", has " + std::to_string(count)
                 + (count == 1 ? " session" : " sessions")
                 + " and needs another. It gives up, so that the others can go on. Let fewer runs go at "
                   "once, or raise SANDGLASS_SESSIONS"
                 + (m_limits.memoryBytes > 0 ? " and SANDGLASS_SESSIONS_MEMORY_MB" : "") };
}

// Waits until it is this waiter's turn and there is room.
Result<void> HostBudget::wait(Line::const_iterator waiter, Lock& lock, const std::stop_token& stop,
                              const std::function<void(const std::string&)>& waiting)
{
    int said = -1;
    std::optional<MemoryLedger::Share> mark;
    while (!isNext(waiter)) {
        if (m_ledger && !mark)
            mark = m_ledger->wait();
        if (stop.stop_requested())
            return Error{ Errc::Cancelled, "stopped while it waited for room on this machine" };
        if (waiter->isRefused)
            return refusal(waiter->wish);
        if (const int place = ahead(waiter); place != said) {
            said = place;
            const std::string text = reason(place);
            lock.unlock();
            if (waiting)
                waiting(text);
            lock.lock();
            continue; // the mutex was released: look at everything again
        }
        if (m_host != nullptr && first() == waiter && makeRoom(waiter, lock))
            continue;
        const auto hasChanged = [&] { return isNext(waiter) || waiter->isRefused || ahead(waiter) != said; };
        m_changed.wait_for(lock, stop, kLookAgain, hasChanged); // notified when somebody leaves or joins
    }
    return {};
}

Result<HostBudget::Place> HostBudget::enter(const Wish& wish, std::stop_token stop,
                                            const std::function<void(const std::string&)>& waiting)
{
    Lock lock(m_mutex);
    if (m_limits.memoryBytes > 0 && wish.memoryBytes > m_limits.memoryBytes)
        return Error{ Errc::LimitExceeded,
                      "a session of " + std::to_string(wish.memoryBytes >> 20)
                          + " MiB does not fit: all sessions of this machine together may have "
                          + std::to_string(m_limits.memoryBytes >> 20)
                          + " MiB. Lower its memory limit, or raise SANDGLASS_SESSIONS_MEMORY_MB" };
    const auto waiter = m_line.insert(m_line.end(), Waiter{ wish, std::chrono::steady_clock::now() });
    std::optional<Place> place;
    auto waited = wait(waiter, lock, stop, waiting);
    while (waited && !(place = take(wish.thread, wish.memoryBytes)))
        waited = wait(waiter, lock, stop, waiting);
    m_line.erase(waiter);
    m_changed.notify_all();
    if (!waited)
        return std::move(waited.error());
    return std::move(*place);
}

std::optional<HostBudget::Place> HostBudget::tryEnter(const ThreadId& thread, std::int64_t memoryBytes)
{
    const std::lock_guard lock(m_mutex);
    if (!m_line.empty() || !fits(memoryBytes))
        return std::nullopt;
    return take(thread, memoryBytes);
}

int HostBudget::waitingCount() const
{
    const std::lock_guard lock(m_mutex);
    return static_cast<int>(m_line.size());
}

} // namespace sg::sessions
