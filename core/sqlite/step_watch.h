#pragma once

#include <chrono>

struct sqlite3;

namespace sg::sqlite {

// Ends a step of a statement that computes for longer than it may: a crafted or damaged file can have one go
// on for ever. Costs nothing of a step that is short. A connection is used by one thread at a time, so that
// what runs is kept by thread.
class StepWatch {
public:
    static void install(sqlite3* db, std::chrono::seconds longest);
    static void begin(); // a step
    [[nodiscard]] static bool hasExpired(); // the step that this thread began last

    // No step of this thread is ended while one lives.
    class Unlimited {
    public:
        Unlimited();
        Unlimited(const Unlimited&) = delete;
        Unlimited& operator=(const Unlimited&) = delete;
        ~Unlimited();
    };
};

} // namespace sg::sqlite
