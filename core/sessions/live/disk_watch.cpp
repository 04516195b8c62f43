#include "core/sessions/live/disk_watch.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace sg::sessions {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

constexpr std::int64_t kSlack = 1 << 20; // room for the session's own records
constexpr steady_clock::duration kOften = 100ms;
constexpr int kShare = 10; // measuring takes at most one part in so many of the time

} // namespace

DiskWatch::DiskWatch(std::function<FolderSize()> measure, std::int64_t limit, std::int64_t usedBefore,
                     const std::stop_token& stop)
    : m_measure(std::move(measure))
    , m_most(std::max(limit, usedBefore) + kSlack)
    , m_forward(stop, [this] { m_stop.request_stop(); })
    , m_watcher([this](const std::stop_token& over) { watch(over); })
{
}

void DiskWatch::watch(const std::stop_token& over)
{
    steady_clock::duration pause = kOften;
    std::unique_lock lock(m_mutex);
    while (!m_changed.wait_for(lock, over, pause, [] { return false; }) && !over.stop_requested()) {
        const auto begin = steady_clock::now();
        const FolderSize used = m_measure();
        if (used.bytes > m_most || !used.isWhole) {
            m_bytes = used.bytes;
            m_isWhole = used.isWhole;
            m_isStopped = true;
            m_stop.request_stop();
            return;
        }
        pause = std::max(kOften, kShare * (steady_clock::now() - begin));
    }
}

} // namespace sg::sessions
