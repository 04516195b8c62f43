#pragma once

#include <chrono>

struct sqlite3;

namespace sg::sqlite {

// Ends a statement's step that computes too long: a crafted or damaged file can make one run for ever. A
// short step costs nothing. One thread at a time uses a connection, so the running step is kept per thread.
class StepWatch {
public:
    static void install(sqlite3* db, std::chrono::seconds longest);
    static void begin(); // of a step
    [[nodiscard]] static bool hasExpired(); // for the step that this thread began last

    // While one exists, no step of this thread is ended.
    class Unlimited {
    public:
        Unlimited();
        Unlimited(const Unlimited&) = delete;
        Unlimited& operator=(const Unlimited&) = delete;
        ~Unlimited();
    };
};

} // namespace sg::sqlite
