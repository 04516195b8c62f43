#pragma once

#include "core/graph/graph.h"

#include <string>
#include <vector>

// These functions list the differences between two versions of a graph, part by part.
namespace sg::graph {

enum class PartKind { Node, Edge, Branch, Channel, Setting, Note, Place };
enum class PartChange { Added, Removed, Changed };

struct FieldChange {
    std::string field; // "jq", "retry", "targets"
    Value before; // null: it did not exist
    Value after;
};

struct Difference {
    PartKind kind = PartKind::Node;
    PartChange change = PartChange::Changed;
    std::vector<NodeId> path; // the subgraphs that contain it, the outermost first
    std::string name; // a node, channel or setting ("sandbox.mode"), "a → b" for an edge, a branch's node
    std::vector<FieldChange> fields; // fields of a changed part
    [[nodiscard]] bool countsAtRun() const { return kind != PartKind::Note && kind != PartKind::Place; }
};

// Returns them in the order of the file: channels, nodes (each followed by the differences inside it), edges,
// branches, settings, notes, positions. Two versions that are saved as the same text have none.
std::vector<Difference> differences(const Graph& before, const Graph& after);

// Returns one line that is fit for a terminal: "~ node review / check: jq".
std::string describe(const Difference& difference);
std::string shortText(const Value& value, std::size_t longest = 80); // one line, bytes of UTF-8

std::string_view partKindWord(PartKind kind); // "node", …
std::string_view partChangeName(PartChange change); // "added", …

} // namespace sg::graph
