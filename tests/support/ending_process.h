#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <thread>

namespace sg::test {

// Calls `look` on one process after another while each of them ends, so that some end during a call. A `look`
// that throws ends the test.
template<typename Look>
void lookWhileTheyEnd(Look look, int processes)
{
    for (int i = 0; i < processes; ++i) {
        const pid_t child = ::fork();
        if (child < 0)
            std::abort();
        if (child == 0) {
            ::pause();
            ::_exit(0);
        }
        std::atomic<bool> isGone = false;
        std::thread ending([&] {
            ::kill(child, SIGKILL);
            ::waitpid(child, nullptr, 0);
            isGone = true;
        });
        while (!isGone)
            look(child);
        ending.join();
    }
}

} // namespace sg::test
