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
constexpr int kShare = 10; // measuring takes at most one part in so many of the time,
constexpr steady_clock::duration kSeldom = 2s; // unless that would leave the folder alone for longer

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
        if (isOver())
            return;
        const steady_clock::duration took = steady_clock::now() - begin;
        pause = std::max(kOften, std::min(kShare * took, std::max(kSeldom, took)));
    }
}

bool DiskWatch::isOver()
{
    const FolderSize used = m_measure();
    if (used.bytes <= m_most && used.isWhole)
        return false;
    m_bytes = used.bytes;
    m_isWhole = used.isWhole;
    m_isStopped = true;
    m_stop.request_stop();
    return true;
}

void DiskWatch::lookAtTheEnd()
{
    if (!m_isStopped && steady_clock::now() - m_begin >= kOften)
        isOver();
}

} // namespace sg::sessions
