#include "core/sessions/snapshots/live_copies.h"

#include "core/base/log.h"
#include "core/sessions/runner/live_sandbox.h"
#include "core/sessions/snapshots/snapshot_names.h"
#include "core/sessions/snapshots/snapshot_room.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace sg::sessions {
namespace {

using std::chrono::steady_clock;

constexpr Millis kDropTime{ 60'000 };
constexpr std::size_t kMostLeaving = 8; // then adding more copies waits
constexpr std::size_t kMostNamed = 32; // besides those that sleep
constexpr Millis kCalm{ 500 }; // time without a newer copy
constexpr Millis kAtLatest{ 5000 };
constexpr Millis kAgain{ 1000 }; // where it could not be kept yet
constexpr int kPauses = 9; // pause, in multiples of the time that writing took

} // namespace

LiveCopies::LiveCopies(std::filesystem::path blobs, const SnapshotLimits& limits, SnapshotRoom* room,
                       SnapshotStored stored)
    : m_folder(std::move(blobs))
    , m_limits(limits)
    , m_room(room)
    , m_stored(std::move(stored))
{
}

LiveCopies::~LiveCopies()
{
    m_writer.request_stop();
    m_changed.notify_all();
}

void LiveCopies::use(Live live, std::vector<SnapshotId> asleep)
{
    const std::lock_guard lock(m_mutex);
    m_live = std::move(live);
    m_copies.assign(asleep.begin(), asleep.end());
    m_leaving.clear();
    m_ahead = {};
    m_changed.notify_all();
}

void LiveCopies::add(const SnapshotId& copy, const Value& names)
{
    std::unique_lock lock(m_mutex);
    m_copies.push_back(copy);
    while (static_cast<int>(m_copies.size()) > std::max(m_limits.live, 1))
        evictOldest();
    if (names.isMap()) {
        remember(copy, { names, true });
        m_ahead = {}; // an older copy's names are obsolete
    } else {
        planAhead(copy);
    }
    m_changed.wait(lock, [this] { return m_leaving.size() <= kMostLeaving; });
}

void LiveCopies::keep(const SnapshotId& copy)
{
    awaitEnd(copy);
    const std::lock_guard lock(m_mutex);
    if (std::erase(m_copies, copy) + std::erase(m_leaving, copy) > 0) {
        m_copies.push_back(copy);
        const auto known = m_names.find(copy);
        if (known == m_names.end() || !known->second.isKept)
            planAhead(copy);
    }
    m_changed.notify_all();
}

void LiveCopies::awaitEnd(const SnapshotId& copy) const
{
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [&] { return copy.empty() || m_ending != copy; });
}

void LiveCopies::forget(const SnapshotId& copy)
{
    const std::lock_guard lock(m_mutex);
    std::erase(m_copies, copy);
    if (m_ahead == copy)
        m_ahead = {};
}

void LiveCopies::planAhead(const SnapshotId& copy)
{
    if (!m_stored || m_limits.aheadBytes <= 0)
        return;
    m_aheadMade = steady_clock::now();
    const bool isFirst =
        m_ahead.empty(); // else the writer, which waits for an earlier time, looks again then
    m_ahead = copy;
    if (!isFirst)
        return;
    m_aheadSince = m_aheadMade;
    m_isUrgent = false;
    wakeWriter();
}

void LiveCopies::evictOldest()
{
    m_leaving.push_back(std::move(m_copies.front()));
    m_copies.pop_front();
    wakeWriter();
}

bool LiveCopies::isWrittenOut(const SnapshotId& copy) const
{
    const auto known = m_names.find(copy);
    return known != m_names.end() && known->second.isKept && leftOut(known->second.names) == 0;
}

void LiveCopies::wakeWriter()
{
    if (!m_writer.joinable())
        m_writer = std::jthread([this](const std::stop_token& stop) { run(stop); });
    m_changed.notify_all();
}

// Evicts a quarter of the copies at a time: only the next measure shows what that frees. Where memory is
// about to run out there is no time to write anything: the engine would end the copies, or worse.
void LiveCopies::makeRoom(const MemoryUse& memory)
{
    if (memory.limit <= 0)
        return;
    const std::int64_t high =
        std::min(memory.limit / 4 * 3, m_limits.memoryBytes > 0 ? m_limits.memoryBytes : memory.limit);
    if (memory.used <= high)
        return;
    std::unique_lock lock(m_mutex);
    std::size_t count = m_copies.size() > 1 ? std::max<std::size_t>(1, m_copies.size() / 4) : 0;
    if (memory.used > memory.limit / 10 * 9 && m_copies.size() == 1 && isWrittenOut(m_copies.front()))
        count = 1;
    if (memory.used <= memory.limit / 10 * 9) {
        for (std::size_t i = 0; i < count; ++i)
            evictOldest();
        return;
    }
    const std::vector<SnapshotId> given(m_copies.begin(),
                                        m_copies.begin() + static_cast<std::ptrdiff_t>(count));
    m_copies.erase(m_copies.begin(), m_copies.begin() + static_cast<std::ptrdiff_t>(count));
    const Live live = m_live;
    lock.unlock();
    if (given.empty() || !live)
        return;
    logMessage(LogLevel::Warning,
               "the session's memory is nearly used up (" + std::to_string(memory.used >> 20) + " of "
                   + std::to_string(memory.limit >> 20) + " MB): " + std::to_string(given.size())
                   + " live snapshots are given up");
    drop(live, given);
    for (const SnapshotId& copy : given)
        tellGone(copy);
}

std::vector<SnapshotId> LiveCopies::asleep() const
{
    const std::lock_guard lock(m_mutex);
    std::vector<SnapshotId> all(m_leaving.begin(), m_leaving.end());
    all.insert(all.end(), m_copies.begin(), m_copies.end());
    return all;
}

Value LiveCopies::namesOf(const SnapshotId& copy) const
{
    const std::lock_guard lock(m_mutex);
    const auto found = m_names.find(copy);
    return found == m_names.end() ? Value() : found->second.names;
}

LiveCopies::Time LiveCopies::dueAhead() const
{
    if (m_isUrgent)
        return {};
    return std::max(m_aheadPause, std::min(m_aheadMade + kCalm, m_aheadSince + kAtLatest));
}

void LiveCopies::run(const std::stop_token& stop)
{
    const auto hasWork = [this] {
        return !m_leaving.empty() || (!m_ahead.empty() && steady_clock::now() >= dueAhead());
    };
    std::unique_lock lock(m_mutex);
    while (!stop.stop_requested()) {
        if (m_ahead.empty())
            m_changed.wait(lock, stop, [this] { return !m_leaving.empty() || !m_ahead.empty(); });
        else
            m_changed.wait_until(lock, stop, dueAhead(), hasWork);
        if (stop.stop_requested())
            return;
        if (!m_leaving.empty())
            letOneLeave(lock);
        else if (hasWork())
            writeAhead(lock);
    }
}

void LiveCopies::letOneLeave(std::unique_lock<std::mutex>& lock)
{
    const Live live = m_live;
    const SnapshotId copy = m_leaving.front();
    m_ending = copy;
    lock.unlock();
    const auto lives = [&] { return live && !live->link().failure(); };
    // Tried twice: waking another branch meanwhile ends all requests that the runner had begun.
    if (lives() && store(live, copy, Occasion::Leaving) == Wrote::Failed && lives())
        store(live, copy, Occasion::Leaving);
    if (lives()) {
        drop(live, { copy });
        tellGone(copy);
    }
    lock.lock();
    m_ending = {};
    std::erase(m_leaving, copy);
    m_changed.notify_all();
}

void LiveCopies::writeAhead(std::unique_lock<std::mutex>& lock)
{
    const Live live = m_live;
    const SnapshotId copy = std::exchange(m_ahead, {});
    const bool isUrgent = std::exchange(m_isUrgent, false);
    m_isWritingAhead = true;
    lock.unlock();
    const Time begin = steady_clock::now();
    Wrote wrote = Wrote::Failed;
    if (live && !live->link().failure())
        wrote = isUrgent || hasCalm(live) ? store(live, copy, Occasion::Ahead) : Wrote::NotYet;
    const Time end = steady_clock::now();
    lock.lock();
    m_isWritingAhead = false;
    m_aheadPause = end + kPauses * (end - begin);
    // NotYet: its checkpoint is about to be stored, or the sandbox is busy. A newer copy replaces it.
    const bool isNewest = !m_copies.empty() && m_copies.back() == copy;
    if (wrote == Wrote::NotYet && m_ahead.empty() && isNewest && m_live == live) {
        m_ahead = copy;
        m_aheadSince = m_aheadMade = end;
        m_aheadPause = std::max(m_aheadPause, end + kAgain);
    }
    m_changed.notify_all();
}

// A paused sandbox cannot write, and writing needs memory.
bool LiveCopies::hasCalm(const Live& live)
{
    if (live->sandbox().isPaused())
        return false;
    const auto sample = live->sandbox().sample();
    return !sample || sample->memoryLimit <= 0 || sample->memoryBytes < sample->memoryLimit / 2;
}

LiveCopies::Wrote LiveCopies::store(const Live& live, const SnapshotId& copy, Occasion occasion)
{
    if (!m_stored)
        return Wrote::Kept;
    const bool isAhead = occasion == Occasion::Ahead;
    if (const Value known = namesOf(copy); known.isMap() && (isAhead || leftOut(known) == 0))
        return tell(copy, known);
    auto blobs = artifacts::BlobStore::open(m_folder);
    NamesRoom room{ {}, mostOfNames(live->memoryBytes(), m_limits.projectBytes), m_room };
    if (isAhead)
        room.ahead = m_limits.aheadBytes;
    const auto after = occasion == Occasion::Leaving ? AfterStoring::Ends : AfterStoring::Sleeps;
    auto names = blobs ? storeNames(live->link(), copy, *blobs, room, after) : Result<Value>(blobs.error());
    if (!names) {
        if (!live->link().failure() && !isAhead) // else its session ended, and all copies with it
            logMessage(LogLevel::Warning,
                       "snapshot " + copy.value + " is not written out: " + names.error().message);
        return Wrote::Failed;
    }
    // The size is not known in advance; the next collection removes what is over the cap.
    const auto claimed = m_room != nullptr ? m_room->claim(0) : Result<void>();
    if (!claimed) {
        logMessage(LogLevel::Warning,
                   "the names of snapshot " + copy.value + " are not kept: " + claimed.error().message);
        return Wrote::Kept;
    }
    return tell(copy, *names);
}

LiveCopies::Wrote LiveCopies::tell(const SnapshotId& copy, const Value& names)
{
    {
        const std::lock_guard lock(m_mutex);
        const auto known = m_names.find(copy);
        if (known != m_names.end() && known->second.isKept && known->second.names == names)
            return Wrote::Kept;
        remember(copy, { names, false });
    }
    const bool isKept = m_stored(copy, names);
    const std::lock_guard lock(m_mutex);
    if (const auto known = m_names.find(copy); known != m_names.end())
        known->second.isKept = isKept;
    return isKept ? Wrote::Kept : Wrote::NotYet;
}

void LiveCopies::remember(const SnapshotId& copy, Named named)
{
    if (!m_names.contains(copy))
        m_named.push_back(copy);
    m_names[copy] = std::move(named);
    while (m_named.size() > kMostNamed + static_cast<std::size_t>(std::max(m_limits.live, 0))) {
        m_names.erase(m_named.front());
        m_named.pop_front();
    }
}

// A copy has ended before its session, perhaps without its names.
void LiveCopies::tellGone(const SnapshotId& copy)
{
    if (m_stored && !namesOf(copy).isMap())
        m_stored(copy, Value());
}

void LiveCopies::drop(const Live& live, const std::vector<SnapshotId>& copies)
{
    ValueList names;
    for (const SnapshotId& copy : copies)
        names.emplace_back(copy.value);
    // An error means that the runner has ended, and its copies with it.
    static_cast<void>(
        live->link().ask({ { "op", "drop" }, { "snapshots", std::move(names) } }, "dropped", kDropTime));
}

bool LiveCopies::storeAll(std::chrono::milliseconds patience)
{
    const auto end = steady_clock::now() + patience;
    std::unique_lock lock(m_mutex);
    m_ahead = {};
    const bool isAll =
        m_changed.wait_until(lock, end, [this] { return m_leaving.empty() && !m_isWritingAhead; });
    m_ahead = {};
    const Live live = m_live;
    std::deque<SnapshotId> left = std::exchange(m_copies, {});
    lock.unlock();
    for (auto copy = left.rbegin(); copy != left.rend() && live; ++copy) {
        if (steady_clock::now() >= end)
            return false;
        if (!live->link().failure())
            store(live, *copy, Occasion::AtTheEnd);
    }
    return isAll;
}

void LiveCopies::storeNewest(std::chrono::milliseconds patience)
{
    std::unique_lock lock(m_mutex);
    if (m_ahead.empty() && !m_isWritingAhead)
        return;
    m_isUrgent = !m_ahead.empty();
    m_changed.notify_all();
    m_changed.wait_until(lock, steady_clock::now() + patience,
                         [this] { return (!m_isUrgent || m_ahead.empty()) && !m_isWritingAhead; });
}

} // namespace sg::sessions
