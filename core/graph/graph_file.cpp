#include "core/graph/graph_file.h"

#include "core/base/file.h"
#include "core/base/printable.h"
#include "core/graph/graph_value.h"
#include "core/graph/reading.h"

#include <algorithm>

// clang-format off
// The graph file, NAME.graph.json: JSON (RFC 8259) in UTF-8, one object. Every key may be absent unless marked *.
// Schema: resources/reference/graph.schema.json. Keys that are not listed here are kept.
//
//   graph    = { "format": 1, "name": text, "description": text,
//                "state": { channel name: channel, … },
//                "input": [channel, …], "output": [channel, …],             schemas; absent: all channels
//                "input_example": {channel: value},                         offered where a run is begun
//                "nodes": [node, …], "edges": [edge, …], "branches": [branch, …],
//                "interrupt_before": [node, …] | "*", "interrupt_after": [node, …] | "*",
//                "interrupt_if": { "before": { node: program, … }, "after": { node: program, … } },
//                                                                           a breakpoint with a program holds where
//                                                                           that gives neither false nor null
//                "recursion_limit": count, "cache": flag,
//                "checkpointer": null | true | false,                       of a subgraph: inherit, own, none
//                "durability": "sync" | "async" | "exit", "store": flag | store,
//                "sandbox": sandbox, "llm": llm, "mcp": { server name: server, … },
//                "roles": { role name: role, … },
//                "layout": { node name: [x, y] | [x, y, "pinned"], …,       centre of the card; written last
//                            "__notes__": [note, …] } }
//   note     = { "text": text, "at"*: [x, y], "size"*: [width, height], "frame": flag }
//   channel  = { "type": "last_value" | "reduce" | "topic" | "ephemeral" | "untracked" | "any_value" | "delta"
//                      | "remaining_steps" | "is_last_step",                absent: last_value, or reduce if …
//                "reducer": "add" | "append" | "concat" | "max" | "min" | "mul" | "merge" | "union" | "last"
//                         | "add_messages",                                 … there is a reducer
//                "default": value, "accumulate": flag, "guard": flag, "snapshot_frequency": count,
//                "storage": "full" | "delta" }                              of append and add_messages
//   store    = { "ttl": minutes, "refresh_on_read": flag, "tenant": text }
//   llm      = { the settings of llm nodes that say nothing themselves,
//                "budget": { "tokens": count, "cost": dollars, "calls": count, "seconds": seconds } }
//   role     = { "secrets": [name, …], "egress": [host, …], "mounts": [path inside, …], "image": text,
//                "limits": limits, "attempts": count, "priority": "high" | "normal" | "low",
//                "partition": "thread" | program }                          what its workers grant, they decide
//   server   = { "command": text | [text, …], "args": [text, …], "env": { name: text, … },
//                "files": folder, "requirements": [text, …], "outside": flag,
//              | "url": address, "headers": { name: text, … },
//                "secret": name, "timeout_s": seconds, "tools": [name, …] }
//   node     = { "name"*: text, "kind": text,                               absent: "jq", "python" or "subgraph" by key
//                "jq": program | "file": path, "function": name | "graph": graph | …,   whatever the kind reads
//                "question": value, "channel": channel,                     of a human node: what is asked, where the
//                                                                           answer goes (absent: it is an update)
//                "timeout_s": seconds, "ends": [node, …],                   where a Command of the node may go
//                "requirements": [text, …],                                 of a python node that has a session of its
//                                                                           own: beside those of the sandbox
//                "secrets": [name, …],                                      of such a node: its session gets these alone
//                "secret_headers": [name, …],                               of such a node: its proxy sends these alone
//                "defer": flag, "retry": retry | [retry, …], "cache": { "ttl": seconds } | flag,
//                "input": [channel, …], "reads": [channel, …], "writes": [channel, …],
//                "error_handler": { "jq": program } | { "file": path, "function": name } }
//   retry    = { "max_attempts": count, "initial_interval": seconds, "backoff_factor": number,
//                "max_interval": seconds, "jitter": flag, "retry_on": [error type, …] }
//   edge     = [from, to] | [[from, …], to]                                 the second waits for all of its starts
//   branch   = { "from"*: node, "jq": program | "file": path, "function": name,
//                "targets": { label: node, … } | [node, …] }                absent: the outcome is a node's name
//   sandbox  = { "backend": "auto" | "docker" | "bubblewrap" | "e2b", "storage": "TMPFS" | "BIND",
//                "connection": name,                                        of "e2b": one of the user's connections
//                "datasets": "NONE" | "LOCAL_RO" | "API" | "HYBRID",
//                "image": text,                                             not sandglass/python: docker alone has it
//                "mode": "TMPFS_LOCAL" and the like                         storage and datasets in one word
//                "scope": "thread" | "node" | "run", "own_sessions": [node, …], "idle_timeout_s": seconds,
//                "parallel": "fork" | "serial",                             Python nodes of one superstep in a session
//                "max_age_s": seconds, "pool": count, "pool_state": "running" | "paused", "preload": [module, …],
//                "requirements": [requirement, …] | path,                   Python packages, as pip writes them
//                "python": [folder, …],                                     whose modules nodes import; absent: lib
//                "limits": { "memory_mb", "tmpfs_mb", "pids", "cpus", "open_files", "cell_s", "output_mb", "state_mb" },
//                "egress": [host, …], "secrets": [name, …] }
//
// "__start__" and "__end__" stand for the entry and the end in edges, branches and targets.
// clang-format on
namespace sg::graph {

namespace {

constexpr JsonLimits kLimits{ 32U << 20, 256 };

} // namespace

std::string describe(const Problem& problem, std::string_view fileName)
{
    std::string text(fileName);
    if (problem.position.line != 0)
        text += ":" + std::to_string(problem.position.line) + ":" + std::to_string(problem.position.column);
    switch (problem.severity) {
    case Problem::Severity::Error: text += ": error: "; break;
    case Problem::Severity::Warning: text += ": warning: "; break;
    case Problem::Severity::Hint: text += ": hint: "; break;
    }
    text += problem.message;
    if (!problem.pointer.empty())
        text += " (" + problem.pointer + ")";
    text = printableText(text); // the file's names may hold anything
    std::ranges::replace(text, '\n', ' ');
    return text;
}

const Problem* GraphFile::firstError() const
{
    const auto found = std::ranges::find(problems, Problem::Severity::Error, &Problem::severity);
    return found == problems.end() ? nullptr : &*found;
}

Result<GraphFile> parseGraph(std::string_view text)
{
    auto source = parseJsonSource(text, kLimits);
    if (!source)
        return std::move(source.error());
    if (!source->value.isMap())
        return Error{ Errc::InvalidArgument,
                      "line 1, column 1: a graph file is one JSON object, {\"nodes\": […], …}" };
    GraphFile file;
    Reading reading;
    readGraph(source->value.asMap(), Place(), reading, file.graph);
    file.positions = std::move(source->positions);
    file.problems = std::move(reading.problems);
    file.skipped = std::move(reading.skipped);
    for (Problem& problem : file.problems)
        problem.position = positionOf(file.positions, problem.pointer);
    return file;
}

Result<GraphFile> loadGraph(const std::filesystem::path& path)
{
    const std::string doing = "read graph " + path.string();
    auto text = readFile(path, kLimits.bytes);
    if (!text)
        return std::move(text.error()).during(doing);
    auto file = parseGraph(*text);
    if (!file)
        return std::move(file.error()).during(doing);
    return file;
}

Result<void> saveGraph(const Graph& graph, const std::filesystem::path& path)
{
    auto saved = writeFileAtomically(path, graphText(graph));
    if (!saved)
        return std::move(saved.error()).during("save graph " + path.string());
    return saved;
}

} // namespace sg::graph
