#include "core/sqlite/step_watch.h"

#include <sqlite3.h>

#include <cstdint>

namespace sg::sqlite {
namespace {

using std::chrono::steady_clock;

constexpr int kInstructions = 1'000'000; // of SQLite's machine; they take some milliseconds

struct Running {
    bool isTimed = false;
    bool hasExpired = false;
    int unlimited = 0;
    steady_clock::time_point since; // the handler's first call
};

thread_local Running stepOfThread;

int stepTakesTooLong(void* longest)
{
    Running& running = stepOfThread;
    const auto now = steady_clock::now();
    if (!running.isTimed) {
        running.isTimed = true;
        running.since = now;
        return 0;
    }
    const std::chrono::seconds most(reinterpret_cast<std::intptr_t>(longest)); // a number, no address
    running.hasExpired = running.unlimited == 0 && now - running.since > most;
    return running.hasExpired ? 1 : 0;
}

} // namespace

void StepWatch::install(sqlite3* db, std::chrono::seconds longest)
{
    sqlite3_progress_handler(db, kInstructions, &stepTakesTooLong,
                             // NOLINTNEXTLINE(performance-no-int-to-ptr): nothing is ever read through it
                             reinterpret_cast<void*>(static_cast<std::intptr_t>(longest.count())));
}

void StepWatch::begin()
{
    stepOfThread.isTimed = stepOfThread.hasExpired = false;
}

bool StepWatch::hasExpired()
{
    return stepOfThread.hasExpired;
}

StepWatch::Unlimited::Unlimited()
{
    ++stepOfThread.unlimited;
}

StepWatch::Unlimited::~Unlimited()
{
    --stepOfThread.unlimited;
}

} // namespace sg::sqlite
