#include "core/sessions/live_copies.h"

#include "core/base/log.h"
#include "core/sessions/live_sandbox.h"
#include "core/sessions/snapshot_names.h"
#include "core/sessions/snapshot_room.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace sg::sessions {
namespace {

using std::chrono::steady_clock;

constexpr Millis kDropTime{ 60'000 };
constexpr std::size_t kMostLeaving = 8; // then who makes more copies waits
constexpr std::size_t kMostNamed = 64;

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
    m_changed.notify_all();
}

void LiveCopies::add(const SnapshotId& copy)
{
    std::unique_lock lock(m_mutex);
    m_copies.push_back(copy);
    while (static_cast<int>(m_copies.size()) > std::max(m_limits.live, 1))
        evictOldest(lock);
    m_changed.wait(lock, [this] { return m_leaving.size() <= kMostLeaving; });
}

void LiveCopies::keep(const SnapshotId& copy)
{
    const std::lock_guard lock(m_mutex);
    if (std::erase(m_copies, copy) + std::erase(m_leaving, copy) > 0)
        m_copies.push_back(copy);
    m_changed.notify_all();
}

void LiveCopies::forget(const SnapshotId& copy)
{
    const std::lock_guard lock(m_mutex);
    std::erase(m_copies, copy);
}

void LiveCopies::evictOldest(std::unique_lock<std::mutex>&)
{
    m_leaving.push_back(std::move(m_copies.front()));
    m_copies.pop_front();
    if (!m_writer.joinable())
        m_writer = std::jthread([this](const std::stop_token& stop) { run(stop); });
    m_changed.notify_all();
}

// A quarter at a time: what an ended copy gives back is seen with the next measure. Where memory is about to
// run out there is no time to write anything: the engine would end them, or worse.
void LiveCopies::makeRoom(const MemoryUse& memory)
{
    if (memory.limit <= 0)
        return;
    const std::int64_t high =
        std::min(memory.limit / 4 * 3, m_limits.memoryBytes > 0 ? m_limits.memoryBytes : memory.limit);
    if (memory.used <= high)
        return;
    std::unique_lock lock(m_mutex);
    const std::size_t count = m_copies.size() > 1 ? std::max<std::size_t>(1, m_copies.size() / 4) : 0;
    if (memory.used <= memory.limit / 10 * 9) {
        for (std::size_t i = 0; i < count; ++i)
            evictOldest(lock);
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
                   + " live snapshots are given up without being written out");
    drop(live, given);
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
    return found == m_names.end() ? Value() : found->second;
}

void LiveCopies::run(const std::stop_token& stop)
{
    std::unique_lock lock(m_mutex);
    while (m_changed.wait(lock, stop, [this] { return !m_leaving.empty(); })) {
        const Live live = m_live;
        const SnapshotId copy = m_leaving.front();
        lock.unlock();
        // Once more where another branch was woken meanwhile, which ends all that the runner had started.
        if (live && !live->link().failure() && !store(live, copy) && !live->link().failure())
            store(live, copy);
        lock.lock();
        const bool leaves = std::erase(m_leaving, copy) > 0; // else it is to stay after all
        lock.unlock();
        if (leaves && live && !live->link().failure())
            drop(live, { copy });
        lock.lock();
        m_changed.notify_all();
    }
}

// False where it may be tried again.
bool LiveCopies::store(const Live& live, const SnapshotId& copy)
{
    if (!m_stored)
        return true;
    auto blobs = artifacts::BlobStore::open(m_folder);
    auto names = blobs ? storeNames(live->link(), copy, *blobs) : Result<Value>(blobs.error());
    if (!names) {
        if (!live->link().failure()) // else its session ended, and all copies with it
            logMessage(LogLevel::Warning,
                       "snapshot " + copy.value + " is not written out: " + names.error().message);
        return false;
    }
    // Its size is not known before; what is over the cap goes with the next collection.
    const auto claimed = m_room != nullptr ? m_room->claim(names->intOr("bytes", 0)) : Result<void>();
    if (!claimed) {
        logMessage(LogLevel::Warning,
                   "the names of snapshot " + copy.value + " are not kept: " + claimed.error().message);
        return true;
    }
    m_stored(copy, *names);
    const std::lock_guard lock(m_mutex);
    m_names[copy] = std::move(*names);
    m_named.push_back(copy);
    if (m_named.size() > kMostNamed) {
        m_names.erase(m_named.front());
        m_named.pop_front();
    }
    return true;
}

void LiveCopies::drop(const Live& live, const std::vector<SnapshotId>& copies)
{
    ValueList names;
    for (const SnapshotId& copy : copies)
        names.emplace_back(copy.value);
    // An error is the runner's end, and its copies'.
    static_cast<void>(
        live->link().ask({ { "op", "drop" }, { "snapshots", std::move(names) } }, "dropped", kDropTime));
}

void LiveCopies::storeAll(std::chrono::milliseconds patience)
{
    const auto end = steady_clock::now() + patience;
    std::unique_lock lock(m_mutex);
    m_changed.wait_until(lock, end, [this] { return m_leaving.empty(); });
    const Live live = m_live;
    std::deque<SnapshotId> left = std::exchange(m_copies, {});
    lock.unlock();
    for (auto copy = left.rbegin(); copy != left.rend() && live && steady_clock::now() < end; ++copy)
        if (!live->link().failure())
            store(live, *copy);
}

} // namespace sg::sessions
