#pragma once

#include "tests/fault/history.h"
#include "tests/fault/random_workflow.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <random>
#include <string>

namespace sg::fault {

// Counts how often each thing was hit, over all trials.
struct CrashCounts {
    int kills = 0;
    int beforeFirstCheckpoint = 0;
    int amidSuperstep = 0; // some tasks of the newest checkpoint had finished
    std::int64_t checkpoints = 0;
    std::int64_t tasks = 0;
    std::int64_t again = 0; // tasks that were broken off and had to start anew
};

// One random workflow, run by child processes that are killed at random moments until one gets to the end;
// what is stored is looked at after each. The calling process must have one thread only.
class CrashTrial {
public:
    // `folder` must be empty; it keeps the databases and the journal.
    CrashTrial(std::uint64_t seed, std::filesystem::path folder, std::mt19937_64& random,
               CrashCounts& counts);

    // Empty: all is as it should be.
    std::string run(int mostKills);

private:
    enum class Ended { Well, Killed };
    // Lets a child go on; kills it after the delay.
    std::optional<Ended> live(const std::string& name, std::optional<std::chrono::microseconds> delay);
    std::string look(int life);
    std::string lookAtTasks(const History& history, int life);
    [[nodiscard]] Result<History> stored(const std::string& name) const;

    Workflow m_workflow;
    std::filesystem::path m_folder;
    std::mt19937_64& m_random;
    CrashCounts& m_counts;
    History m_unbroken;
    std::set<std::string> m_started; // tasks of all lives
    std::set<std::string> m_finished; // tasks whose writes were stored when the last child died
    int m_life = 0;
    std::string m_problem; // of a child
};

} // namespace sg::fault
