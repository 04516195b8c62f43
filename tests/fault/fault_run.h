#pragma once

#include "core/checkpoint/sqlite_checkpoint_store.h"
#include "tests/fault/acknowledging_store.h"
#include "tests/fault/history.h"
#include "tests/fault/workflow_run.h"

#include <filesystem>
#include <set>
#include <string>

namespace sg::fault {

// Tells how one attempt ended to bring a workflow to its end on a database.
struct FaultRun {
    bool done = false;
    std::string error; // why not
    std::set<std::string> confirmed; // checkpoints that the store has said to be stored
};

// One task after the other on this thread. The database is closed when it returns.
FaultRun runOn(const std::filesystem::path& database, const Workflow& workflow, bool fullSync);

// Returns what SQLite's own integrity_check says; empty: nothing is wrong.
std::string integrityProblem(const std::filesystem::path& database);

// Opens the database and reads it all. Empty: it is whole, holds a beginning of the `whole` history, and each
// of the `confirmed` checkpoints.
std::string problemOf(const std::filesystem::path& database, const History& whole,
                      const std::set<std::string>& confirmed);

// Returns the history of a run that nothing disturbs, in memory.
History undisturbed(const Workflow& workflow);

// Empty: the database holds the whole history and no more.
std::string problemAtEnd(const std::filesystem::path& database, const History& whole);

} // namespace sg::fault
