#include "core/engine/tasks/claimed_tasks.h"

#include <condition_variable>
#include <memory>
#include <mutex>

namespace sg::engine {
namespace {

// Shared with the pool's jobs, which may start after the caller has gone on; then nothing is left to claim.
struct Claims {
    std::mutex mutex;
    std::condition_variable changed;
    // Guarded by mutex:
    std::size_t next = 0;
    std::size_t running = 0;
    std::size_t count = 0;
    const std::function<void(std::size_t)>* work = nullptr; // valid while anything is left
};

bool runNext(Claims& claims)
{
    std::size_t index = 0;
    const std::function<void(std::size_t)>* work = nullptr;
    {
        const std::lock_guard lock(claims.mutex);
        if (claims.next >= claims.count)
            return false;
        index = claims.next++;
        ++claims.running;
        work = claims.work;
    }
    (*work)(index);
    {
        const std::lock_guard lock(claims.mutex);
        --claims.running;
    }
    claims.changed.notify_all();
    return true;
}

} // namespace

void runClaimed(ThreadPool& pool, std::size_t count, const std::function<void(std::size_t)>& work,
                const std::function<void()>& first)
{
    auto claims = std::make_shared<Claims>();
    claims->count = count;
    claims->work = &work;
    for (std::size_t i = 0; i < count; ++i)
        pool.submit([claims] { runNext(*claims); });
    first();
    while (runNext(*claims)) { }
    std::unique_lock lock(claims->mutex);
    claims->changed.wait(lock, [&claims] { return claims->running == 0; });
}

} // namespace sg::engine
