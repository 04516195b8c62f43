#pragma once

#include "core/graph/graph.h"

#include <span>
#include <string>
#include <string_view>

// What a kind of node is, once, for all that ask: reading, validation, makers, forms, palette, cards, export.
// Texts are English; the window translates them. All of it is constant and may be read by any thread.
namespace sg::graph {

struct GraphScope;
class Place;

// Kinds that a file means by a key alone: "file", "jq", "graph".
inline constexpr std::string_view kPythonKind = "python";
inline constexpr std::string_view kJqKind = "jq";
inline constexpr std::string_view kSubgraphKind = "subgraph";
inline constexpr std::string_view kHumanKind = "human"; // its task only asks a person
inline constexpr std::string_view kLlmKind = "llm";
inline constexpr double kLongestSeconds = 30.0 * 24 * 3600; // that a setting can name

// What a setting holds, which says how it is checked, how its row of the form looks, and what of the graph it
// names.
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
    Secret, // the name of one
    Secrets, // names, for a node that has a session of its own
    Packages, // requirements, for a node that has a session of its own: its kind's check sees to that
    Json,
};

// Where the form has the setting's row.
enum class SettingPlace {
    Form, // above what is folded
    Time,
    Retry, // shown where the node is tried again
    Order,
    Last,
    Editor, // no row: the code editor has it; a program whose key is "jq"
};

struct SettingWord {
    std::string_view word; // of the file
    std::string_view label;
    std::string_view means; // for messages; may be empty
};

struct NodeSetting {
    std::string_view key{};
    std::string_view label{};
    std::string_view hint{}; // in the empty field; "": what is meant then
    std::string_view help{}; // a sentence
    SettingType type = SettingType::Text;
    SettingPlace place = SettingPlace::Form;
    std::string_view first{}; // of a new node, with its name for "{name}"; "": absent
    std::string_view fallback{}; // what is meant where it is absent; "": nothing
    std::string_view needed{}; // what it is, for a node that cannot do without; "": it can
    std::string_view
        says{}; // of ChannelName: what it names; of numbers: what it must be; "": as the type says
    std::span<const SettingWord> words{}; // of Word
    double least = 0; // of Count and Number
    double most = 0; // the same; not more than `least`: any
    bool checkedByRun = false; // a wrong one is told when a run is made, not by validation
};

// What planned runs of it touch. Previews tell of them in this order.
enum class SideEffect {
    RunsCode, // in the session's sandbox
    RunsInside, // what its graph does
    ReachesOut, // hosts
    FetchesData,
    AsksPerson,
    None,
};

// What stands for it in a LangGraph project.
enum class ExportAs { Refused, Program, Function, Interrupt, Subgraph, DatasetPath };

struct NodeKind {
    std::string_view id{}; // the file's word
    std::string_view title{};
    std::string_view does{}; // in a few words
    std::string_view group{}; // its heading in the palette; kinds of one group stand together
    std::string_view icon{}; // of resources/icons
    std::string_view firstName{}; // of a new node
    std::string_view subtitle{}; // keys: the first that is there is shown; or "=words". "": the kind's id
    SideEffect effect = SideEffect::None;
    std::string_view onePlanned{}; // "1 question to you"; "": previews do not tell of it
    std::string_view manyPlanned{}; // "%1 questions to you"
    ExportAs exported = ExportAs::Refused;
    bool usesSandbox = false; // its runs need a session
    bool mayOwnSession = false; // secrets of the graph can be missing in a session of its own
    bool holdsGraph = false; // it cannot do without a "graph"
    std::span<const NodeSetting> settings{};
    // What is wrong beyond single settings; null: nothing can be.
    void (*check)(const GraphScope& scope, const Node& node, const Place& place) = nullptr;
};

// In the order in which messages name them.
std::span<const NodeKind> nodeKinds();
const NodeKind* findNodeKind(std::string_view id); // null: of another version
// Of nodes of every kind.
std::span<const NodeSetting> commonSettings();
// Code and how it is run: of nodes, branches and error handlers.
std::span<const NodeSetting> codeSettings();

// The kind's own or a common one; null: neither.
const NodeSetting* findSetting(const NodeKind* kind, std::string_view key);
const NodeSetting* findSetting(const NodeKind* kind, SettingType type); // its own; the first of the type
bool isSettingOfAnyKind(std::string_view key); // without the common ones

// Of a known kind that says so.
bool usesSandbox(const Node& node);
bool asksPerson(const Node& node);
bool fetchesData(const Node& node);
// Where the node's kind reads code and the node names it; else null.
const std::string* codeFileOf(const Node& node);
// The text that stands there, else the setting's fallback.
std::string textOr(const ValueMap& settings, const NodeSetting& setting);
std::string functionOf(const ValueMap& code); // of a node, branch or error handler

// What a new node of that kind holds.
ValueMap firstSettings(const NodeKind& kind, const NodeId& name);
// The value is of the setting's type and within its bounds; whether names in it exist is not looked at.
bool isFit(const NodeSetting& setting, const Value& value);
// What a fit value is, as in "must be …": "text", "a number of seconds above 0", "\"rollback\" or \"keep\"".
// Explained: with what each word means.
std::string demandOf(const NodeSetting& setting, bool explained = false);

} // namespace sg::graph
