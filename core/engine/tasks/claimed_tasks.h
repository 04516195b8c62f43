#pragma once

#include "core/base/thread_pool.h"

#include <cstddef>
#include <functional>

namespace sg::engine {

// Runs work(0) … work(count - 1), each once, on the pool's threads and on this one; `first` runs on this
// thread before it takes part. Returns when all are done. It is safe to call this on a pool's own thread,
// however many of them wait here: the caller always gets on by itself.
void runClaimed(ThreadPool& pool, std::size_t count, const std::function<void(std::size_t)>& work,
                const std::function<void()>& first);

} // namespace sg::engine
