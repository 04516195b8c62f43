#pragma once

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/base/value.h"
#include "core/checkpoint/checkpoint_store.h"
#include "core/checkpoint/run_log.h"
#include "core/checkpoint/source.h"
#include "core/engine/engine.h"
#include "core/graph/graph.h"
#include "core/history/explanation.h"
#include "core/history/value_trace.h"
#include "core/history/watch.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// These classes only read a checkpoint database, any LangGraph file, with or without its graph.

namespace sg::history {

struct ThreadRow {
    ThreadId thread;
    std::int64_t checkpoints = 0;
    std::string updatedAt; // ISO 8601
    RunStatus status = RunStatus::Unknown;
    std::string problem; // of a damaged one: why its newest checkpoint cannot be read
};

struct CheckpointRow {
    CheckpointId id;
    std::optional<CheckpointId> parent;
    std::string ns;
    std::int64_t step = 0;
    Word<checkpoint::Source> source;
    std::vector<NodeId> next;
    std::string createdAt;
    std::vector<NodeId> after; // nodes whose writes made it
    std::string problem; // not empty: why the row cannot be read; then only id, parent and ns are reliable
};

// A task that ran (or waits) from a checkpoint, with its times if this program ran it.
struct TaskRow {
    CheckpointId checkpoint; // the superstep's start
    TaskId task;
    NodeId node;
    std::int64_t step = 0;
    TaskOutcome outcome = TaskOutcome::Unknown;
    std::string startedAt; // "" if unknown
    double seconds = -1; // -1: unknown
    std::int64_t attempts = 1; // without those that ended with a question
    std::string error;
    std::string detail;
    std::string triedAt; // start of the first attempt, where there were several; "": the only one, or unknown
    std::int64_t asked = 0; // attempts before that ended with a question, or were stopped
};

struct RunRow {
    checkpoint::RunRecord run;
    std::vector<checkpoint::RunPackages> packages; // those that its code had in addition to the sandbox's
};

// A path through a thread: checkpoints of its root graph, oldest first.
struct ThreadWay {
    ThreadId thread;
    std::span<const CheckpointId> checkpoints;
};

// Returns the first place at which the states of two paths differ; nullopt if the shorter path is equal
// throughout. A checkpoint that both contain is not read. One that cannot be read differs from every other.
Result<std::optional<std::size_t>> findParting(checkpoint::CheckpointStore& store, const ThreadWay& a,
                                               const ThreadWay& b);

// Builds the graph of a thread from its checkpoints: the nodes that ran or were triggered, the edges that
// tasks followed, and the channels of the state. Nothing is guessed: what no task of the newest
// kSkeletonCheckpoints did is missing, and so are kinds and code. Nodes are in the order of the newest
// checkpoint. It has at most kSkeletonParts each of nodes, channels and edges, and no nodes if the thread has
// no checkpoints.
inline constexpr std::int64_t kSkeletonCheckpoints = 300;
inline constexpr std::size_t kSkeletonParts = 5000;
Result<graph::Graph> skeletonGraph(checkpoint::CheckpointStore& store, const ThreadId& thread);

// Checkpoint files keep a failed task's error as Python's repr() of the exception. Where that is one text, as
// in ValueError('no\nrows'), this returns "ValueError: no" and the next line "rows"; any other text comes
// back as it is. Source of the escapes: "String and Bytes literals" of the Python language reference. Any
// thread.
std::string errorWords(std::string_view stored);

class History {
public:
    // `name` is what messages call the database.
    History(checkpoint::CheckpointStore& store, checkpoint::RunLog& log, std::filesystem::path database,
            std::string name);

    Result<std::vector<ThreadRow>> threads();
    // Makes the database's file hold the thread (nullopt: all threads) as it is now, for what reads the file
    // itself. Does nothing where the file is the database.
    Result<void> bringHere(const std::optional<ThreadId>& thread);
    // Returns a text that changes when somebody wrote to a database on a server, sooner or later; empty where
    // the file is the database.
    Result<std::string> changeMark();
    void giveUpWaiting(); // makes those who wait for a lost server give up, for a program that ends
    Result<std::vector<CheckpointRow>> checkpoints(const ThreadId& thread, const std::string& ns = "",
                                                   std::int64_t limit = 100'000); // newest first
    // Returns the tasks of the newest `limit` checkpoints, by checkpoint and path.
    Result<std::vector<TaskRow>> tasks(const ThreadId& thread, const std::string& ns = "",
                                       std::int64_t limit = 100'000);
    // Does LangGraph's get_state as far as the file allows: next and tasks come from channels and writes.
    Result<engine::StateSnapshot> state(const ThreadId& thread, const std::string& ns = "",
                                        const std::optional<CheckpointId>& id = {});
    // Explains the tasks of a checkpoint; without one, those of the newest branch (see explanation.h).
    Result<std::vector<SuperstepReasons>> explain(const ThreadId& thread, const std::string& ns,
                                                  const std::optional<CheckpointId>& id, std::int64_t limit);
    // Finds where a value of the state came from. `way` leads from a checkpoint back and may end before the
    // first (see value_trace.h).
    Result<ValueTrace> trace(const ThreadId& thread, const std::vector<CheckpointId>& way,
                             const std::string& pointer, std::size_t limit);
    // Finds where the states of two paths differ first (see findParting()).
    Result<std::optional<std::size_t>> parting(const ThreadWay& a, const ThreadWay& b);
    // Returns the graph as far as the thread's checkpoints show it (see skeletonGraph()).
    Result<graph::Graph> skeleton(const ThreadId& thread);
    Watch watch(const ThreadId& thread, const std::string& program); // this object must outlive it
    Result<std::vector<RunRow>> runs(const ThreadId& thread); // newest first
    // Returns the text of the graph that made a checkpoint: that of the last run started by then. nullopt if
    // no run of this program did, or if it ran before graphs were recorded.
    Result<std::optional<std::string>> graphAt(const ThreadId& thread, const CheckpointId& checkpoint);
    Result<std::optional<std::string>> graphOf(const RunId& run);
    Result<std::vector<checkpoint::RunPackages>> packagesOf(const RunId& run);
    Result<std::vector<checkpoint::LogRecord>> log(const ThreadId& thread, std::int64_t limit);
    // Returns the log of one run (or console) from a number on, oldest first.
    Result<std::vector<checkpoint::LogRecord>> logOf(const RunId& run, std::int64_t from, std::int64_t limit);

private:
    checkpoint::CheckpointStore& m_store;
    checkpoint::RunLog& m_log;
    std::filesystem::path m_database; // names the locks of its threads
    std::string m_name;
};

} // namespace sg::history
