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

thread_local Running t_running;

int stepTakesTooLong(void* longest)
{
    Running& running = t_running;
    const auto now = steady_clock::now();
    if (!running.isTimed) {
        running.isTimed = true;
        running.since = now;
        return 0;
    }
    const std::chrono::seconds most(reinterpret_cast<std::intptr_t>(longest));
    running.hasExpired = running.unlimited == 0 && now - running.since > most;
    return running.hasExpired ? 1 : 0;
}

} // namespace

void StepWatch::install(sqlite3* db, std::chrono::seconds longest)
{
    sqlite3_progress_handler(db, kInstructions, &stepTakesTooLong,
                             reinterpret_cast<void*>(static_cast<std::intptr_t>(longest.count())));
}

void StepWatch::begin()
{
    t_running.isTimed = t_running.hasExpired = false;
}

bool StepWatch::hasExpired()
{
    return t_running.hasExpired;
}

StepWatch::Unlimited::Unlimited()
{
    ++t_running.unlimited;
}

StepWatch::Unlimited::~Unlimited()
{
    --t_running.unlimited;
}

} // namespace sg::sqlite
