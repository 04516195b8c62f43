#pragma once

#include "app/cli/output.h"
#include "core/artifacts/artifact_store.h"
#include "core/base/value.h"
#include "core/engine/engine.h"
#include "core/graph/graph_file.h"
#include "core/history/explanation.h"
#include "core/history/history.h"
#include "core/runs/thread_states.h"

#include <filesystem>
#include <string>
#include <vector>

// The JSON documents that the command line prints, which are a contract. Exts are converted to plain data.
namespace sg::cli {

// {"values", "next", "config", "metadata", "tasks", "interrupts"}
Value stateDocument(const engine::StateSnapshot& snapshot);

// Newest first: [{"checkpoint_id", "parent_checkpoint_id", "checkpoint_ns", "step", "source", "next",
// "created_at"}]; a row that cannot be read has "problem" too
Value historyDocument(const std::vector<history::CheckpointRow>& rows);

// {"thread_id", "checkpoint_id", "parent_checkpoint_id", "checkpoint_ns", "step", "source", "next"}
Value changeDocument(const runs::StateChange& change);

// Oldest first: [{"checkpoint_id", "step", "source", "tasks": [{"task_id", "node", "kind": "pull" | "send",
// "outcome", "triggers": [{"channel", "version", "seen", "set_at", "source", "written_by"}]}]}]
Value explanationDocument(const std::vector<history::SuperstepReasons>& supersteps);

// [{"thread_id", "checkpoints", "updated_at", "status"}]; with "problem" where the status is "damaged"
Value threadsDocument(const std::vector<history::ThreadRow>& rows);

// {"id", "name", "path", "size", "mime", "sha256", "thread_id", "run_id", "node", "step", "created_at",
// "blob"}
Value artifactDocument(const artifacts::Artifact& artifact, const std::filesystem::path& blob);

// {"run_id", "thread_id", "status", "supersteps", "checkpoint_id", "values", "interrupts", "artifacts",
// "requirements", "modules", "error"} requirements: [{"layer", "packages": ["networkx==3.3"]}]; modules:
// project files that the code imported: ["lib/models.py sha256:DIGITS"]; error: null, or {"node", "type",
// "message", "traceback"}
Value runDocument(const ThreadId& thread, const engine::RunResult& result, ValueList artifacts,
                  const std::vector<checkpoint::RunPackages>& packages);

// Newest first: [{"run_id", "graph", "started_at", "finished_at", "status", "supersteps", "requirements",
// "modules", "error"}]
Value runsDocument(const std::vector<history::RunRow>& rows);

// Tells that this user has allowed a project's `kind` ("provider") of that name; `risk` is what it does then.
int tellAllowed(const Output& out, const char* kind, const std::string& name, const std::string& risk);

// {"valid", "problems": [{"severity", "code", "message", "pointer", "line", "column"}]}
Value problemsDocument(const std::vector<graph::Problem>& problems);

} // namespace sg::cli
