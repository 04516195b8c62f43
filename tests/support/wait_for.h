#pragma once

#include <chrono>
#include <thread>

namespace sg::test {

// True as soon as `predicate` holds, false when it does not within the time. Does not run an event loop.
template<typename Predicate>
[[nodiscard]] bool waitFor(Predicate predicate, std::chrono::milliseconds timeout = std::chrono::seconds(10))
{
    const auto deadline = std::chrono::steady_clock::now() + timeout;
    while (!predicate()) {
        if (std::chrono::steady_clock::now() >= deadline)
            return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
}

} // namespace sg::test
