#include "core/artifacts/s3/each_at_once.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace sg::artifacts::s3 {

Result<void> eachAtOnce(std::size_t count, std::size_t threads,
                        const std::function<Result<void>(std::size_t)>& act)
{
    std::atomic<std::size_t> next = 0;
    std::mutex mutex;
    std::optional<Error> failure; // guarded by mutex
    const auto work = [&] {
        for (std::size_t at = next++; at < count; at = next++) {
            auto done = act(at);
            if (done)
                continue;
            next = count;
            const std::lock_guard lock(mutex);
            if (!failure)
                failure = std::move(done.error());
        }
    };
    {
        std::vector<std::jthread> others;
        for (std::size_t each = 1; each < std::min(threads, count); ++each)
            others.emplace_back(work);
        work();
    }
    return failure ? Result<void>(std::move(*failure)) : Result<void>();
}

} // namespace sg::artifacts::s3
