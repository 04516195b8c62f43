#pragma once

#include "core/graph/graph.h"

#include <string>
#include <vector>

// What lies between two versions of a graph, part by part: what a text diff of the files would say in lines.
namespace sg::graph {

enum class PartKind { Node, Edge, Branch, Channel, Setting, Note, Place };
enum class PartChange { Added, Removed, Changed };

struct FieldChange {
    std::string field; // "jq", "retry", "targets"
    Value before; // null: was not there
    Value after;
};

struct Difference {
    PartKind kind = PartKind::Node;
    PartChange change = PartChange::Changed;
    std::vector<NodeId> path; // the subgraphs around it, the outermost first
    std::string
        name; // of node, channel or setting ("sandbox.mode"); "a → b" of an edge; of a branch its node
    std::vector<FieldChange> fields; // of what changed
    [[nodiscard]] bool countsAtRun() const { return kind != PartKind::Note && kind != PartKind::Place; }
};

// In the order of the file: channels, nodes (each followed by what differs inside of it), edges, branches,
// settings, notes, places. Two versions that are saved as the same text have none.
std::vector<Difference> differences(const Graph& before, const Graph& after);

// One line, fit for a terminal: "~ node review / check: jq".
std::string describe(const Difference& difference);
std::string shortText(const Value& value, std::size_t longest = 80); // in one line, bytes of UTF-8

std::string_view partKindWord(PartKind kind); // "node", …
std::string_view partChangeName(PartChange change); // "added", …

} // namespace sg::graph
