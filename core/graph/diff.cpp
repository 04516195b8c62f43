#include "core/graph/diff.h"

#include "core/base/json.h"
#include "core/base/printable.h"
#include "core/graph/graph_value.h"
#include "core/graph/part_fields.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace sg::graph {
namespace {

std::string endName(const NodeId& id)
{
    return id.value == kStart ? "Start" : id.value == kEnd ? "End" : id.value;
}

std::string edgeName(const Edge& edge)
{
    std::string name;
    for (const NodeId& from : edge.from)
        name += (name.empty() ? "" : " + ") + endName(from);
    return name + " → " + endName(edge.to);
}

std::vector<FieldChange> fieldChanges(const ValueMap& before, const ValueMap& after,
                                      const std::set<std::string_view>& without = {})
{
    std::vector<FieldChange> changes;
    for (const auto& [key, value] : before) {
        const std::string& name = key.asString();
        const Value* now = after.find(name);
        if (!without.contains(name) && (now == nullptr || *now != value))
            changes.push_back({ name, value, now == nullptr ? Value() : *now });
    }
    for (const auto& [key, value] : after)
        if (!without.contains(key.asString()) && !before.contains(key.asString()))
            changes.push_back({ key.asString(), {}, value });
    return changes;
}

// Settings of the sandbox and other groups are compared one by one.
std::vector<FieldChange> settingChanges(const ValueMap& before, const ValueMap& after)
{
    std::vector<FieldChange> changes;
    for (FieldChange& change : fieldChanges(
             before, after, { "format", "state", "nodes", "edges", "branches", "layout", "$schema" })) {
        const ValueMap none;
        const bool isGroup = (change.before.isMap() || change.before.isNull())
            && (change.after.isMap() || change.after.isNull());
        if (!isGroup) {
            changes.push_back(std::move(change));
            continue;
        }
        for (FieldChange& inner : fieldChanges(change.before.isMap() ? change.before.asMap() : none,
                                               change.after.isMap() ? change.after.asMap() : none))
            changes.push_back({ change.field + "." + inner.field, inner.before, inner.after });
    }
    return changes;
}

class Comparison {
public:
    std::vector<Difference> found;

    void compare(const Graph& before, const Graph& after)
    {
        compareNamed(PartKind::Channel, channelsOf(before), channelsOf(after));
        compareNodes(before, after);
        compareEdges(before, after);
        compareNamed(PartKind::Branch, branchesOf(before), branchesOf(after));
        const Value settingsBefore = graphValue(before, GraphRole::Nested);
        const Value settingsAfter = graphValue(after, GraphRole::Nested);
        for (FieldChange& change : settingChanges(settingsBefore.asMap(), settingsAfter.asMap())) {
            const PartChange kind = change.before.isNull() ? PartChange::Added
                : change.after.isNull()                    ? PartChange::Removed
                                                           : PartChange::Changed;
            std::string name = change.field;
            add(PartKind::Setting, kind, std::move(name), { std::move(change) });
        }
        compareNotes(before, after);
        comparePlaces(before, after);
    }

private:
    using Named = std::vector<std::pair<std::string, Value>>;

    void add(PartKind kind, PartChange change, std::string name, std::vector<FieldChange> fields = {})
    {
        found.push_back({ kind, change, m_path, std::move(name), std::move(fields) });
    }

    static Named channelsOf(const Graph& graph)
    {
        Named parts;
        for (const Channel& channel : graph.channels)
            parts.emplace_back(channel.name, channelValue(channel));
        return parts;
    }

    // A second branch of the same node is a part of its own.
    static Named branchesOf(const Graph& graph)
    {
        Named parts;
        std::map<std::string, int> counts;
        for (const Branch& branch : graph.branches) {
            const int count = ++counts[branch.from.value];
            parts.emplace_back(endName(branch.from) + (count > 1 ? " (" + std::to_string(count) + ")" : ""),
                               branchValue(branch));
        }
        return parts;
    }

    void compareNamed(PartKind kind, const Named& before, const Named& after)
    {
        const auto in = [](const Named& parts, const std::string& name) -> const Value* {
            const auto part = std::ranges::find(parts, name, &Named::value_type::first);
            return part == parts.end() ? nullptr : &part->second;
        };
        for (const auto& [name, value] : before) {
            const Value* now = in(after, name);
            if (now == nullptr)
                add(kind, PartChange::Removed, name);
            else if (auto fields = fieldChanges(value.asMap(), now->asMap()); !fields.empty())
                add(kind, PartChange::Changed, name, std::move(fields));
        }
        for (const auto& [name, value] : after)
            if (in(before, name) == nullptr)
                add(kind, PartChange::Added, name);
    }

    void compareNodes(const Graph& before, const Graph& after)
    {
        std::map<NodeId, const Node*> now;
        for (const Node& node : after.nodes)
            now.emplace(node.name, &node);
        std::set<NodeId> known;
        for (const Node& node : before.nodes) {
            known.insert(node.name);
            const auto other = now.find(node.name);
            if (other == now.end())
                add(PartKind::Node, PartChange::Removed, node.name.value);
            else
                compareNode(node, *other->second);
        }
        for (const Node& node : after.nodes)
            if (!known.contains(node.name))
                add(PartKind::Node, PartChange::Added, node.name.value);
    }

    void compareNode(const Node& before, const Node& after)
    {
        const bool bothHold = before.subgraph && after.subgraph;
        const Value then = nodeValue(before);
        const Value now = nodeValue(after);
        auto fields =
            fieldChanges(then.asMap(), now.asMap(),
                         bothHold ? std::set<std::string_view>{ "graph" } : std::set<std::string_view>());
        if (!fields.empty())
            add(PartKind::Node, PartChange::Changed, before.name.value, std::move(fields));
        if (!bothHold || before.subgraph == after.subgraph)
            return;
        m_path.push_back(before.name);
        compare(*before.subgraph, *after.subgraph);
        m_path.pop_back();
    }

    void compareEdges(const Graph& before, const Graph& after)
    {
        std::map<std::string, int> counts;
        for (const Edge& edge : after.edges)
            ++counts[edgeName(edge)];
        for (const Edge& edge : before.edges)
            if (--counts[edgeName(edge)] < 0)
                add(PartKind::Edge, PartChange::Removed, edgeName(edge));
        for (const Edge& edge : after.edges)
            if (counts[edgeName(edge)]-- > 0)
                add(PartKind::Edge, PartChange::Added, edgeName(edge));
    }

    static std::string noteName(const Note& note)
    {
        constexpr std::size_t kLongest = 40;
        return shortText(Value(note.text), kLongest);
    }

    // A note has no name: the one at the same place counts as the same, else the one with the same text.
    void compareNotes(const Graph& before, const Graph& after)
    {
        std::vector<bool> taken(after.notes.size(), false);
        const auto match = [&](auto same) {
            for (std::size_t i = 0; i < after.notes.size(); ++i)
                if (!taken[i] && same(after.notes[i])) {
                    taken[i] = true;
                    return std::optional(i);
                }
            return std::optional<std::size_t>();
        };
        std::vector<const Note*> left;
        for (const Note& note : before.notes)
            if (!match([&](const Note& other) { return other == note; }))
                left.push_back(&note);
        for (const Note* note : left) {
            const auto other =
                match([&](const Note& now) { return now.place == note->place || now.text == note->text; });
            if (other)
                add(PartKind::Note, PartChange::Changed, noteName(after.notes[*other]));
            else
                add(PartKind::Note, PartChange::Removed, noteName(*note));
        }
        for (std::size_t i = 0; i < after.notes.size(); ++i)
            if (!taken[i])
                add(PartKind::Note, PartChange::Added, noteName(after.notes[i]));
    }

    void comparePlaces(const Graph& before, const Graph& after)
    {
        std::map<NodeId, Position> places(before.layout.begin(), before.layout.end());
        for (const auto& [id, place] : after.layout)
            if (const auto old = places.find(id); old != places.end() && !(old->second == place))
                add(PartKind::Place, PartChange::Changed, endName(id));
    }

    std::vector<NodeId> m_path;
};

} // namespace

std::vector<Difference> differences(const Graph& before, const Graph& after)
{
    Comparison comparison;
    comparison.compare(before, after);
    return std::move(comparison.found);
}

std::string shortText(const Value& value, std::size_t longest)
{
    std::string text = value.isString() ? printableText(value.asString()) : toJson(value, JsonStyle::Spaced);
    std::replace(text.begin(), text.end(), '\n', ' ');
    if (text.size() <= longest)
        return text;
    std::size_t end = longest;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
        --end;
    return text.substr(0, end) + "…";
}

std::string describe(const Difference& difference)
{
    constexpr std::array kSigns = { "+ ", "- ", "~ " };
    std::string line = kSigns.at(static_cast<std::size_t>(difference.change));
    line += partKindWord(difference.kind);
    line += difference.kind == PartKind::Branch || difference.kind == PartKind::Place ? " of " : " ";
    for (const NodeId& id : difference.path)
        line += printableText(id.value) + " / ";
    line += printableText(difference.name);
    if (difference.kind == PartKind::Place)
        return line + " moved";
    if (difference.kind == PartKind::Setting && difference.fields.size() == 1)
        return line + ": " + shortText(difference.fields[0].before) + " → "
            + shortText(difference.fields[0].after);
    for (const FieldChange& field : difference.fields)
        line += (&field == difference.fields.data() ? ": " : ", ") + printableText(field.field);
    return line;
}

std::string_view partKindWord(PartKind kind)
{
    switch (kind) {
    case PartKind::Node: return "node";
    case PartKind::Edge: return "edge";
    case PartKind::Branch: return "branch";
    case PartKind::Channel: return "channel";
    case PartKind::Setting: return "setting";
    case PartKind::Note: return "note";
    case PartKind::Place: return "place";
    }
    return {};
}

std::string_view partChangeName(PartChange change)
{
    switch (change) {
    case PartChange::Added: return "added";
    case PartChange::Removed: return "removed";
    case PartChange::Changed: return "changed";
    }
    return {};
}

} // namespace sg::graph
