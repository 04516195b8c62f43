#pragma once

#include "core/base/json.h"
#include "core/base/result.h"
#include "core/graph/graph.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace sg::graph {

// One problem, for people, with its JSON pointer. Line and column are 0 if it has no place in a text.
struct Problem {
    enum class Severity { Error, Warning, Hint }; // a hint names a better way; nothing is wrong
    Severity severity = Severity::Error;
    std::string code; // stable, kebab-case: "unknown-node", "unreachable-node", "missing-entry",
                      // "bad-reducer", "bad-jq", …
    std::string message; // what is wrong and what to do
    std::string pointer;
    JsonPosition position;
    friend bool operator==(const Problem& a, const Problem& b)
    {
        return a.code == b.code && a.message == b.message && a.pointer == b.pointer;
    }
};

// Returns one line that is fit for a terminal whatever the file holds:
// "counter.graph.json:7:12: error: edge to unknown node 'doubl'; did you mean 'doubler'? (/edges/1/1)"
std::string describe(const Problem& problem, std::string_view fileName);

struct GraphFile {
    Graph graph; // as far as it could be read
    std::vector<Problem> problems; // of form alone: wrong types, missing keys
    std::map<std::string, JsonPosition, std::less<>> positions;
    std::vector<std::string>
        skipped; // pointers of parts too broken or too large to be in `graph`: saving would lose them
    [[nodiscard]] const Problem* firstError() const; // null: there is none
    [[nodiscard]] bool hasErrors() const { return firstError() != nullptr; }
};

// The grammar is at the top of graph_file.cpp and in resources/reference/graph.schema.json. An Error means
// that there is no JSON object at all (unreadable, not JSON); everything else is a problem.
Result<GraphFile> parseGraph(std::string_view text);
Result<GraphFile> loadGraph(const std::filesystem::path& path);

// Keys that this version does not know are written back; the layout comes last.
std::string graphText(const Graph& graph);
Result<void> saveGraph(const Graph& graph, const std::filesystem::path& path); // atomic

} // namespace sg::graph
