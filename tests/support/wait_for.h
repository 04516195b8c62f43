#pragma once

#include <chrono>
#include <thread>

namespace sg::test {

// A test waits so long for something that must come. It is no claim about speed: only a test that fails needs
// all of it, and a machine that is busy with other tests may need much.
inline constexpr std::chrono::milliseconds kPatience = std::chrono::seconds(60);

// True as soon as `predicate` holds, false when it does not within the time. Does not run an event loop.
template<typename Predicate>
[[nodiscard]] bool waitFor(Predicate predicate, std::chrono::milliseconds timeout = kPatience)
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
