#pragma once

#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/session_option.h"
#include "core/base/result.h"
#include "core/base/value.h"
#include "core/history/database.h"
#include "core/workbench/workbench.h"

#include <memory>
#include <string>

namespace sg::cli {

// --db and --project, for verbs that read what runs left.
struct PlaceOption {
    std::string database;
    std::string project;
    std::string graph;

    void add(Verb verb);
    // The project that --graph, --project or the current folder names.
    [[nodiscard]] Result<projects::ProjectPaths> locate() const;
    // --db, or the project's database. Errc::NotFound where nothing has run yet.
    [[nodiscard]] Result<std::unique_ptr<history::Database>> openDatabase() const;
    // The project with that database, to be changed. Without --graph its graph is that of the thread's newest
    // run: a folder may hold several. Errc::NotFound where there is none.
    [[nodiscard]] Result<std::unique_ptr<workbench::Workbench>> openWorkbenchOf(const ThreadId& thread) const;
};

// What a run needs: GRAPH, --thread, --db, and how its sessions are made.
struct RunOption {
    std::string graph;
    std::string thread;
    std::string database;
    SessionOption session;
    std::string tenant;

    void add(Verb verb);
    [[nodiscard]] Result<std::unique_ptr<workbench::Workbench>> openWorkbench() const;
    // Errc::NotFound where --db names no file: going on must not make one.
    [[nodiscard]] Result<void> checkDatabase() const;
};

// For options that count. A range would name all of its numbers.
Check atLeastOne();

// "JSON" or "@FILE" ("@-" is stdin).
Result<Value> jsonArgument(const std::string& text, const std::string& option);

// A thread id as people may name it: 1 to 256 bytes of UTF-8 without control characters.
Result<ThreadId> threadArgument(const std::string& text);

} // namespace sg::cli
