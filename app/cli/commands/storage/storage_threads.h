#pragma once

#include "app/cli/options.h"
#include "app/cli/output.h"
#include "core/upkeep/project_threads.h"

#include <stop_token>
#include <string>

namespace sg::cli {

// The options of `storage move` that are about threads: --db, --back, --thread, --remove.
struct ThreadsOption {
    std::string database;
    std::string thread;
    bool back = false;
    bool removes = false;

    void add(Verb verb);
    [[nodiscard]] bool isGiven() const { return !database.empty(); }
    // Errc::InvalidArgument: options that say nothing without --db, or a name that no thread has.
    [[nodiscard]] Result<void> check() const;
    // Prints to `out` how far it is.
    [[nodiscard]] Result<upkeep::ProjectThreads> move(const projects::ProjectPaths& project,
                                                      const Output& out, const std::stop_token& stop) const;
    // Returns the exit code.
    int tell(const upkeep::ProjectThreads& moved, const Output& out) const;
};

// {from, to, threads: [{thread_id, fate, checkpoints, writes, removed, error}], carried, there, left,
// removed}
Value threadsDocument(const upkeep::ProjectThreads& moved);

} // namespace sg::cli
