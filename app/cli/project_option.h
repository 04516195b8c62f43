#pragma once

#include "app/cli/blobs_option.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/queue_option.h"
#include "app/cli/session_option.h"
#include "core/base/result.h"
#include "core/base/value.h"
#include "core/history/database.h"
#include "core/workbench/workbench.h"

#include <memory>
#include <string>

namespace sg::cli {

// --project, for verbs that take its folder or a graph in it.
void addProject(Verb verb, std::string& project);

// --db and --project, for verbs that read the results of runs.
struct PlaceOption {
    std::string database;
    std::string project;
    std::string graph;
    BlobsOption blobs; // for openWorkbenchOf(); a verb that changes things adds it by itself

    void add(Verb verb);
    // " --db DATABASE --project FOLDER", as far as they were given: for a command that is printed.
    [[nodiscard]] std::string words() const;
    // The project named by --graph, --project or the current folder.
    [[nodiscard]] Result<projects::ProjectPaths> locate() const;
    // The database of --db, or the project's. Errc::NotFound where nothing has run yet.
    [[nodiscard]] Result<std::unique_ptr<history::Database>> openDatabase() const;
    // Opens the project with that database for changes. Without --graph it uses the graph of the thread's
    // newest run, as a folder may hold several. Errc::NotFound: there is none.
    [[nodiscard]] Result<std::unique_ptr<workbench::Workbench>> openWorkbenchOf(const ThreadId& thread) const;
};

// Options that a run needs: GRAPH, --thread, --db, and how its sessions are made.
struct RunOption {
    std::string graph;
    std::string thread;
    std::string database;
    SessionOption session;
    std::string tenant;
    QueueOption queue;
    BlobsOption blobs;

    void add(Verb verb);
    [[nodiscard]] Result<std::unique_ptr<workbench::Workbench>> openWorkbench() const;
    // Errc::NotFound where --db names no file, which resuming must not create.
    [[nodiscard]] Result<void> checkDatabase() const;
};

// A check for counts. A range check would print the range in its message.
Check atLeastOne();

// Parses "JSON" or "@FILE" ("@-" is stdin).
Result<Value> jsonArgument(const std::string& text, const std::string& option);

// Checks a thread id: 1 to 256 bytes of UTF-8 without control characters.
Result<ThreadId> threadArgument(const std::string& text);

} // namespace sg::cli
