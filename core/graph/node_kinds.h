#pragma once

#include "core/graph/graph.h"

#include <array>
#include <span>
#include <string>
#include <string_view>

// These tables describe each kind of node once, for reading, validation, makers, forms, palette, cards and
// export. Texts are English; the window translates them. All of it is constant, and any thread may read it.
namespace sg::graph {

struct GraphScope;
class Place;

inline constexpr std::string_view kPythonKind = "python";
inline constexpr std::string_view kJqKind = "jq";
inline constexpr std::string_view kSubgraphKind = "subgraph";
inline constexpr std::string_view kHumanKind = "human"; // its task only asks a person
inline constexpr std::string_view kLlmKind = "llm";
inline constexpr std::string_view kAgentKind = "agent";
inline constexpr std::string_view kRoleKey = "role"; // a setting: the pool whose workers do the node's tasks

// A node without "kind" is of the first kind whose key it has.
struct KindOfKey {
    std::string_view key;
    std::string_view kind;
};
inline constexpr std::array kKindsOfKeys{
    KindOfKey{ "graph", kSubgraphKind },
    KindOfKey{ "jq", kJqKind },
    KindOfKey{ "file", kPythonKind },
};

inline constexpr double kLongestSeconds = 30.0 * 24 * 3600; // that a setting can name

// Says how a setting is checked, how its row in the form looks, and which part of the graph it names.
enum class SettingType {
    Text,
    LongText, // of several lines
    TextOrValue, // text, or any JSON value; the form writes text
    Program, // jq
    CodeFile, // "file", below the graph's folder; with "function" as in branches and error handlers
    Function, // "function", a name in that file
    ChannelName,
    Count, // a whole number
    Number,
    Seconds, // more than 0
    Flag,
    Word, // one of `words`
    Names,
    ChannelNames,
    NodeNames, // or the end
    Secret, // the name of a secret
    Secrets, // names of secrets, for a node that has a session of its own
    Packages, // requirements, for a node that has a session of its own, as its kind checks
    Json,
};

// Says where the form shows the setting.
enum class SettingPlace {
    Form, // at the top, always visible
    Time,
    Retry, // shown if the node is tried again
    Order,
    Last,
    Editor, // no row: the code editor shows it, a program whose key is "jq"
};

struct SettingWord {
    std::string_view word; // of the file
    std::string_view label;
    std::string_view means; // for messages; may be empty
};

struct NodeSetting {
    std::string_view key{};
    std::string_view label{};
    std::string_view hint{}; // shown in the empty field; "": the fallback
    std::string_view help{}; // sentences
    SettingType type = SettingType::Text;
    SettingPlace place = SettingPlace::Form;
    std::string_view first{}; // value in a new node, whose name replaces "{name}"; "": absent
    std::string_view fallback{}; // used if it is absent; "": nothing
    std::string_view needed{}; // for a required setting, what it is; "": it is not required
    std::string_view says{}; // what a ChannelName names or a number must be; "": as the type says
    std::span<const SettingWord> words{}; // for Word
    double least = 0; // for Count and Number
    double most = 0; // for Count and Number; not more than `least`: no bounds
    bool checkedByRun = false; // a wrong value is reported when a run is made, not by validation
    std::string_view shape{}; // JSON Schema of what its kind checks beyond the type; "": nothing
};

// Says what a planned run of the node touches. Previews list these in this order.
enum class SideEffect {
    RunsCode, // in the session's sandbox
    RunsInside, // the effects of its graph
    ReachesOut, // hosts
    FetchesData,
    AsksPerson,
    None,
};

// Says what a node becomes in a LangGraph project.
enum class ExportAs { Refused, Program, Function, Interrupt, Subgraph, DatasetPath };

struct NodeKind {
    std::string_view id{}; // the file's word
    std::string_view title{};
    std::string_view does{}; // in a few words
    std::string_view group{}; // its heading in the palette; kinds of a group follow one another
    std::string_view icon{}; // of resources/icons
    std::string_view firstName{}; // of a new node, before numbering
    std::string_view subtitle{}; // keys: the first present one is shown; or "=words". "": the kind's id
    SideEffect effect = SideEffect::None;
    std::string_view onePlanned{}; // "1 question to you"; "": previews do not mention it
    std::string_view manyPlanned{}; // "%1 questions to you"
    ExportAs exported = ExportAs::Refused;
    bool usesSandbox = false; // its runs need a session
    bool mayOwnSession = false; // in a session of its own the graph's secrets may be missing
    bool holdsGraph = false; // it needs a "graph"
    std::span<const NodeSetting> settings{};
    // Checks what concerns several settings; null: nothing does.
    void (*check)(const GraphScope& scope, const Node& node, const Place& place) = nullptr;
};

// They are in the order in which messages name them.
std::span<const NodeKind> nodeKinds();
const NodeKind* findNodeKind(std::string_view id); // null: another version may know it
// These settings belong to nodes of every kind.
std::span<const NodeSetting> commonSettings();
// These settings name code and how it runs, for nodes, branches and error handlers.
std::span<const NodeSetting> codeSettings();

// Finds the kind's own or a common setting; null: neither.
const NodeSetting* findSetting(const NodeKind* kind, std::string_view key);
const NodeSetting* findSetting(const NodeKind* kind, SettingType type); // its own; the first of the type
bool isSettingOfAnyKind(std::string_view key); // without the common ones

// These are false for unknown kinds.
bool usesSandbox(const Node& node);
bool asksPerson(const Node& node);
bool fetchesData(const Node& node);
bool reachesOut(const Graph& graph); // a node of it, or of a graph inside it
// Returns the node's code file if its kind reads code and it names one; else null.
const std::string* codeFileOf(const Node& node);
// Returns the setting's text, else its fallback.
std::string textOr(const ValueMap& settings, const NodeSetting& setting);
std::string functionOf(const ValueMap& code); // of a node, branch or error handler

// Returns the settings of a new node.
ValueMap firstSettings(const NodeKind& kind, const NodeId& name);
// Tells whether the value has the setting's type and is within its bounds. Names in it are not looked up.
bool isFit(const NodeSetting& setting, const Value& value);
// Completes "must be …": "text", "a number of seconds above 0", "\"rollback\" or \"keep\"". With `explained`
// it adds what each word means.
std::string demandOf(const NodeSetting& setting, bool explained = false);

} // namespace sg::graph
