#pragma once

#include "core/base/ids.h"
#include "core/base/value.h"
#include "core/base/word.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

// A graph as written in a graph file: plain values, compared by content and not checked (see validate.h).
// Parts keep the object they were read from in `source`, so that unknown keys survive a save.
namespace sg::graph {

inline constexpr const char* kStart = "__start__";
inline constexpr const char* kEnd = "__end__";
inline constexpr const char* kNotes = "__notes__"; // the key of the notes in the layout

enum class ChannelType {
    LastValue,
    Reduce,
    Topic,
    Ephemeral,
    Untracked,
    AnyValue,
    Delta,
    RemainingSteps, // managed: read only, never stored
    IsLastStep, // managed
};

// Initial values: Add 0, Append [], Concat "", Max 0, Min 0, Mul 0, Merge {}, Union [], AddMessages [], Last
// none.
enum class Reducer { Add, Append, Concat, Max, Min, Mul, Merge, Union, Last, AddMessages };

// Says how checkpoints hold a growing list: whole in each, or as changes with a whole one now and then.
enum class ChannelStorage { Full, Delta };

struct Channel {
    std::string name;
    ChannelType type = ChannelType::LastValue;
    Reducer reducer = Reducer::Last; // for Reduce
    bool hasDefault = false; // the file has a "default"
    Value defaultValue; // null with hasDefault: the channel has no initial value
    bool accumulate = false; // Topic
    bool guard = true; // Ephemeral, Untracked
    ChannelStorage storage = ChannelStorage::Full; // Reduce with Append or AddMessages
    int snapshotFrequency = 100; // for Delta type or storage: updates between whole values
    ValueMap source;
};

struct RetryPolicy {
    int maxAttempts = 3;
    double initialInterval = 0.5; // seconds
    double backoffFactor = 2;
    double maxInterval = 128; // seconds
    bool jitter = true;
    std::vector<std::string> retryOn; // error type names; empty: the default predicate
    friend bool operator==(const RetryPolicy&, const RetryPolicy&) = default;
};

struct CachePolicy {
    std::optional<double> ttl; // seconds
    friend bool operator==(const CachePolicy&, const CachePolicy&) = default;
};

struct Graph;

struct Node {
    NodeId name;
    std::string kind; // "jq", "python", "human", "subgraph", …
    ValueMap settings; // all keys not named below, which the kind reads: "jq", "file", "timeout_s", …
    bool defer = false;
    std::vector<RetryPolicy> retry;
    std::optional<CachePolicy> cache;
    std::optional<std::vector<std::string>> input; // LangGraph input schema
    std::optional<std::vector<std::string>> reads; // memory slice: only these channels are shown
    std::optional<std::vector<std::string>> writes; // only these may be written
    Value errorHandler; // null, or the handler's own settings object
    std::shared_ptr<const Graph> subgraph; // immutable once parsed
    ValueMap source;
};

struct Edge {
    std::vector<NodeId> from; // more than one: a waiting edge
    NodeId to;
    bool waiting = false; // written as [[…], to], also with one start
    friend bool operator==(const Edge&, const Edge&) = default;
};

// Routes after `from` has run. The outcome is a node name, a label of `targets`, a Send, or a list of these.
struct Branch {
    NodeId from;
    ValueMap settings; // "jq", or "file" and "function"
    // Maps labels to nodes, in file order. If absent, the outcome is a node's name.
    std::optional<std::vector<std::pair<std::string, NodeId>>> targets;
    ValueMap source;
};

// The sandbox settings of the file. Command line, environment and defaults decide the absent ones.
struct SandboxLimits {
    std::optional<std::int64_t> memoryMb;
    std::optional<std::int64_t> tmpfsMb;
    std::optional<std::int64_t> pids;
    std::optional<double> cpus;
    std::optional<std::int64_t> openFiles;
    std::optional<double> cellSeconds;
    std::optional<std::int64_t> outputMb;
    std::optional<std::int64_t> stateMb;
    friend bool operator==(const SandboxLimits&, const SandboxLimits&) = default;
};
// Python packages that sessions have in addition to those of their image or runtime.
struct Requirements {
    std::vector<std::string> lines; // as pip writes them: "networkx==3.3"
    std::string file; // or a requirements file in the graph's folder
    [[nodiscard]] bool empty() const { return lines.empty() && file.empty(); }
    friend bool operator==(const Requirements&, const Requirements&) = default;
};
// The way in which Python nodes of one superstep run that share a session.
enum class Parallel { Fork, Serial };
constexpr auto namesOf(Parallel)
{
    return std::to_array<std::pair<Parallel, std::string_view>>({
        { Parallel::Fork, "fork" },
        { Parallel::Serial, "serial" },
    });
}
struct SandboxSettings {
    std::string backend; // "", "auto", "docker", "bubblewrap", "e2b"
    std::string connection; // of "e2b": the name of one of the user's; its address is never the graph's
    std::string mode; // "TMPFS_LOCAL": storage and datasets in one word
    std::string storage; // "", "TMPFS", "BIND"
    std::string datasets; // "", "NONE", "LOCAL_RO", "API", "HYBRID"
    std::string image;
    std::string scope; // "", "thread", "node", "run": who shares a session
    std::vector<std::string> ownSessions; // nodes that have one of their own
    std::string parallel; // "", or a Parallel
    std::optional<double> idleTimeoutSeconds; // 0: none
    std::optional<double> maxAgeSeconds;
    std::optional<std::int64_t> pool; // sessions started ahead
    std::string poolState; // "", "running", "paused"
    std::vector<std::string> preload; // modules imported before the first cell
    Requirements requirements;
    // Folders of the project whose Python modules nodes import; absent: "lib", if it exists.
    std::optional<std::vector<std::string>> python;
    SandboxLimits limits;
    std::vector<std::string> egress;
    std::vector<std::string> secrets; // names; the user's machine holds the values
    ValueMap source;
};

// The long-term store that threads share. Nodes can reach it only if the graph enables it.
struct StoreSettings {
    bool enabled = false;
    std::optional<double> ttl; // minutes, for items that are put without one
    bool refreshOnRead = true; // reading an item starts its time to live anew
    std::string tenant; // first label of all namespaces; "": none. The command line and environment win
    ValueMap source;
    friend bool operator==(const StoreSettings& a, const StoreSettings& b)
    {
        return a.enabled == b.enabled && a.ttl == b.ttl && a.refreshOnRead == b.refreshOnRead
            && a.tenant == b.tenant;
    }
};

enum class Checkpointer { Inherit, Own, None }; // a subgraph's: null, true, false

struct Position {
    double x = 0;
    double y = 0;
    bool pinned = false; // for a card: arranging leaves it where it is
    friend bool operator==(const Position&, const Position&) = default;
};

// A note that a person wrote on the canvas. It is stored in the layout and has no effect on runs.
struct Note {
    std::string text;
    Position place; // top left corner, scene units
    Position size; // width and height
    bool frame = false; // drawn around nodes, which move with it
    ValueMap source;
    friend bool operator==(const Note& a, const Note& b)
    {
        return a.text == b.text && a.place == b.place && a.size == b.size && a.frame == b.frame
            && a.source == b.source;
    }
};

// Maps nodes to jq programs that say whether a breakpoint holds. Without one it always does.
using Conditions = std::vector<std::pair<std::string, std::string>>;
struct BreakConditions {
    Conditions before;
    Conditions after;
    friend bool operator==(const BreakConditions&, const BreakConditions&) = default;
};

struct Graph {
    std::string name;
    std::string description;
    std::vector<Channel> channels;
    std::vector<Node> nodes; // declaration order
    std::vector<Edge> edges;
    std::vector<Branch> branches;
    std::optional<std::vector<std::string>> input; // input schema: channel names
    std::optional<std::vector<std::string>> output;
    Value inputExample; // an input to begin with, by channel: forms offer it, nothing runs on it; null: none
    std::vector<std::string> interruptBefore; // node names, or "*"
    std::vector<std::string> interruptAfter;
    BreakConditions interruptIf;
    std::optional<int> recursionLimit;
    Checkpointer checkpointer = Checkpointer::Inherit;
    bool cache = false;
    std::string durability; // "", "sync", "async", "exit": for runs that choose none
    StoreSettings store;
    Value llm; // what llm nodes mean where they say nothing themselves, and "budget"; null: nothing
    Value mcp; // MCP servers by their names, as core/mcp reads them; null: none
    Value roles; // what nodes with a "role" ask of its workers, by role; null: nothing
    SandboxSettings sandbox;
    std::vector<std::pair<NodeId, Position>> layout; // scene units, centre of the card
    std::vector<Note> notes; // the first is drawn lowest
    ValueMap source;

    [[nodiscard]] const Node* findNode(const NodeId& id) const;
    [[nodiscard]] const Channel* findChannel(std::string_view name) const;
    // Returns the channels that an input may name: all, where the graph does not say.
    [[nodiscard]] std::vector<std::string> inputChannels() const;

    // Equal graphs would be saved as the same JSON (keys in any order), unknown keys included.
    friend bool operator==(const Graph& a, const Graph& b);
};

// These are the words of the graph file: "last_value", "add_messages", …
std::string_view channelTypeName(ChannelType type);
std::string_view reducerName(Reducer reducer);
bool maySaveChanges(const Channel& channel); // a list that may use Delta storage
std::optional<ChannelType> channelTypeNamed(std::string_view name);
std::optional<Reducer> reducerNamed(std::string_view name);
std::vector<std::string_view> channelTypeNames();
std::vector<std::string_view> reducerNames();

// Such names of nodes and channels (__start__, __interrupt__, …) belong to the engine.
bool isReservedName(std::string_view name);

} // namespace sg::graph
