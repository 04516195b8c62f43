#pragma once

#include "core/graph/graph.h"
#include "core/graph/node_kinds.h"
#include "core/graph/reading.h"
#include "core/graph/validate.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

// The parts of validate(): each checks one graph, not the graphs inside it, and reports all problems.
namespace sg::graph {

// A jq program and its place. All programs of a file are compiled together at the end.
struct FoundProgram {
    std::string text;
    std::string pointer;
};

struct Checking {
    const ValidationHost& host;
    Reading found;
    std::unordered_set<std::string> skipped; // pointers of list elements that are not in the graph
    std::vector<FoundProgram> programs;
};

// One graph of the file with its place and its names.
struct GraphScope {
    GraphScope(const Graph& itsGraph, const Place& itsPlace, Checking& itsChecking);

    const Graph& graph;
    const Place& place;
    bool isNested = false; // a subgraph
    Checking& checking;
    std::unordered_map<std::string_view, std::size_t> nodes; // name → index of the first that has it
    std::unordered_map<std::string_view, const Channel*> channels;
    std::vector<std::string_view> nodeNames;
    std::vector<std::string_view> channelNames;
    std::vector<std::size_t> nodePlaces; // index in the graph → index in the file's list
    std::vector<std::size_t> edgePlaces;
    std::vector<std::size_t> branchPlaces;

    void error(const Place& at, const char* code, std::string message) const
    {
        checking.found.error(at, code, std::move(message));
    }
    void warning(const Place& at, const char* code, std::string message) const
    {
        checking.found.warning(at, code, std::move(message));
    }
    void hint(const Place& at, const char* code, std::string message) const
    {
        checking.found.hint(at, code, std::move(message));
    }
};

void checkChannels(const GraphScope& scope);
void checkNodes(const GraphScope& scope);
void checkEdges(const GraphScope& scope);
void checkBranches(const GraphScope& scope);
void checkReach(const GraphScope& scope); // entry and unreachable nodes
void checkGrowth(const GraphScope& scope); // lists that a loop makes grow
void checkRun(const GraphScope& scope); // interrupts, recursion limit
void checkSandbox(const GraphScope& scope);

// "jq" or "file" and "function" of a node, branch or error handler.
void checkCode(const GraphScope& scope, const ValueMap& settings, const Place& place);
// Returns the file that a setting names, and reports one that is not below the graph's folder, also after
// following symbolic links. nullopt if it does not exist or the host looks up no files.
std::optional<std::filesystem::path> findFile(const GraphScope& scope, const std::string& file,
                                              const Place& place, const std::string& what);
// Does the same for a file or a folder.
std::optional<std::filesystem::path> findPath(const GraphScope& scope, const std::string& file,
                                              const Place& place, const std::string& what);
// A JSON Schema of the graph's own: names the keywords that nothing here looks at.
void warnOfUnchecked(const GraphScope& scope, const Value& schema, const Place& place);
void checkProgram(const GraphScope& scope, const Value& program, const Place& place);
// Checks one setting against its description.
void checkSetting(const GraphScope& scope, const NodeSetting& setting, const Value& value,
                  const Place& place);
// Checks a node's packages, and that it has a session of its own for them.
void checkOwnRequirements(const GraphScope& scope, const Node& node, const Place& place);
// An llm node: that it is known what is asked where, and where the answer goes.
void checkModel(const GraphScope& scope, const Node& node, const Place& place);
// An agent node: the same, and its tools.
void checkAgent(const GraphScope& scope, const Node& node, const Place& place);
// The keys of an object in an agent's "tools", and the types of what is true of every tool.
void checkToolKeys(const GraphScope& scope, const Value& tool, const Place& place);
void checkModelDefaults(const GraphScope& scope); // "llm" of the graph
void checkServers(const GraphScope& scope); // "mcp" of the graph
void checkRoles(const GraphScope& scope); // "roles" of the graph, and those that its nodes name
void checkHttp(const GraphScope& scope, const Node& node, const Place& place);
void checkTool(const GraphScope& scope, const Node& node,
               const Place& place); // its server is one of the graph's
void checkServerName(const GraphScope& scope, const std::string& server, const Place& place);
// False: the subgraph names no file. Else the file is there and can be included, or that was reported.
bool checkGraphFile(const GraphScope& scope, const Node& node, const Place& place);
void checkMap(const GraphScope& scope, const Node& node, const Place& place); // it has one node to go to
void checkHuman(const GraphScope& scope, const Node& node, const Place& place); // its form has what it needs

// Checks the names of channels in "input", "reads", …
void checkChannelNames(const GraphScope& scope, const std::optional<std::vector<std::string>>& names,
                       const Place& place);

} // namespace sg::graph
