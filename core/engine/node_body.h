#pragma once

#include "core/base/clock.h"
#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/base/value.h"
#include "core/engine/failure.h"
#include "core/graph/graph.h"

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

// The border between the engine and what executes a task (core/nodes, tests). The engine knows no sandboxes.
namespace sg::engine {

struct TaskInfo {
    ThreadId thread;
    RunId run;
    NodeId node;
    TaskId task;
    std::string checkpointNs; // "node:taskid", parents before it, separated by "|"
    CheckpointId checkpoint; // the one this superstep started from
    std::int64_t step = 0;
    int attempt = 1;
};

// The failure that an error handler is called for.
struct HandledError {
    std::string node;
    Failure failure; // of type "str" if only its stored text is known, as its message
};

// A task's place among the tasks of its superstep.
struct TaskPlace {
    std::size_t index = 0; // in the order of the writes; the same when the superstep runs again
    bool isSent = false; // a Send made it
};

// The engine as a body sees it while it runs. It belongs to one attempt of one task and its thread.
class TaskContext {
public:
    virtual ~TaskContext() = default;
    [[nodiscard]] virtual const TaskInfo& info() const = 0;
    [[nodiscard]] virtual const Value& input() const = 0; // the node's input state, or a Send's argument
    // Returns what the node sees of its graph's state as the superstep began, also if a Send gave it another
    // input.
    [[nodiscard]] virtual Value state() const { return input(); }
    // Tells whether the node's graph has that channel, and the node's list of what it writes, if any, names
    // it. The task's input does not matter: a slice or a Send may show it nothing of the channel.
    [[nodiscard]] virtual bool mayWrite(std::string_view /*channel*/) const { return true; }
    // The failure that an error handler's body handles; its input is {"state", "error": {"node", "type",
    // "message"}}. Null for the bodies of other nodes.
    [[nodiscard]] virtual const HandledError* handled() const { return nullptr; }
    [[nodiscard]] virtual Value config() const = 0; // {"configurable": {thread_id, …}, "metadata": …, …}
    [[nodiscard]] virtual Value runContext() const { return {}; } // what the caller gave this run, else null
    [[nodiscard]] virtual std::stop_token stopToken() const = 0;

    [[nodiscard]] virtual TaskPlace place() const { return {}; }
    // The nodes of all tasks of the superstep, also of those that have finished before a resume.
    [[nodiscard]] virtual std::vector<NodeId> nodesOfSuperstep() const { return { info().node }; }
    // The task has waited for its turn: that is no part of its time.
    virtual void waited(std::chrono::duration<double> /*time*/) { }

    // LangGraph's interrupt(): returns the answer, or nullopt: the body must end and return Interrupted.
    virtual std::optional<Value> interrupt(const Value& value) = 0;
    // Returns the answers that the next interrupt() calls would get, in order, for bodies that run elsewhere.
    [[nodiscard]] virtual ValueList answersAhead() const = 0;

    // Runs the node's subgraph on this input, as a call inside the node; each call is a run of its own.
    // nullopt: the body must end and return Interrupted, whatever the reason; the engine knows it.
    virtual std::optional<Value> runSubgraph(const Value& /*input*/) { return std::nullopt; }
    // The failure by which the last runSubgraph() ended: the body may return something else than Interrupted
    // then. Null where it did not fail.
    [[nodiscard]] virtual const Failure* subgraphFailure() const { return nullptr; }

    virtual void emitCustom(Value value) = 0; // the stream writer
    // Somebody listens to the stream mode "messages".
    [[nodiscard]] virtual bool streamsMessages() const { return false; }
    // A message or a chunk of one (Ext) for that mode; `about` comes beside what LangGraph tells of the task.
    // NOLINTNEXTLINE(performance-unnecessary-value-param): who streams takes it over
    virtual void emitMessage(Value /*message*/, const ValueMap& /*about*/) { }
    enum class Stream { Stdout, Stderr, Event };
    virtual void log(Stream stream, std::string_view bytes) = 0;
    // Logs an event that tells of something dropped or lost.
    virtual void warn(std::string_view line) { log(Stream::Event, line); }
    virtual void restored(Value&& /*how*/) { } // publishes SandboxRestored
};

// A node's return value, as LangGraph would get it: null, a map, a Command (Ext 2), a Send (Ext 1), a list.
struct Returned {
    Value value;
};
struct Interrupted { }; // interrupt() or runSubgraph() returned nullopt
using NodeOutcome = std::variant<Returned, Interrupted, Failure>;

// The executable form of a node or a branch. Several threads call it at once, for different tasks.
class NodeBody {
public:
    virtual ~NodeBody() = default;
    // False: it never waits for anything, so it runs on the run's own thread.
    [[nodiscard]] virtual bool mayBlock() const = 0;
    virtual NodeOutcome run(TaskContext& context) = 0;
};

// A NodeCatalog turns settings into bodies. core/nodes implements it for files, tests for C++ functions.
// Bodies must not outlive the catalog.
class NodeCatalog {
public:
    virtual ~NodeCatalog() = default;
    virtual Result<std::unique_ptr<NodeBody>> makeNode(const graph::Node& node) = 0;
    // The graph that the node's body may run by runSubgraph(): the one in the file, or one that its kind is
    // made of (an agent's loop). Null: none.
    virtual Result<std::shared_ptr<const graph::Graph>> graphIn(const graph::Node& node)
    {
        return node.subgraph;
    }
    // Input: the branch's state; Returned: label, name, Send, or a list of those.
    virtual Result<std::unique_ptr<NodeBody>> makeBranch(const graph::Branch& branch) = 0;
    // Input: {"state": …, "error": {"node","type","message"}}.
    virtual Result<std::unique_ptr<NodeBody>> makeErrorHandler(const graph::Node& node) = 0;
};

} // namespace sg::engine
