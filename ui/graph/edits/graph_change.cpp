#include "ui/graph/edits/graph_change.h"

#include <algorithm>
#include <utility>

namespace sg::ui {
namespace {

// The order of keys counts, because the file is written in it.
bool same(const ValueMap& a, const ValueMap& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

bool same(const graph::Channel& a, const graph::Channel& b)
{
    return a.name == b.name && a.type == b.type && a.reducer == b.reducer && a.hasDefault == b.hasDefault
        && a.defaultValue == b.defaultValue && a.accumulate == b.accumulate && a.guard == b.guard
        && a.storage == b.storage && a.snapshotFrequency == b.snapshotFrequency && same(a.source, b.source);
}

bool same(const std::shared_ptr<const graph::Graph>& a, const std::shared_ptr<const graph::Graph>& b)
{
    return a == b || (a && b && *a == *b);
}

bool same(const graph::Node& a, const graph::Node& b)
{
    return a.name == b.name && a.kind == b.kind && same(a.settings, b.settings) && a.defer == b.defer
        && a.retry == b.retry && a.cache == b.cache && a.input == b.input && a.reads == b.reads
        && a.writes == b.writes && a.errorHandler == b.errorHandler && same(a.subgraph, b.subgraph)
        && same(a.source, b.source);
}

bool same(const graph::Edge& a, const graph::Edge& b)
{
    return a == b;
}

bool same(const graph::Branch& a, const graph::Branch& b)
{
    return a.from == b.from && same(a.settings, b.settings) && a.targets == b.targets
        && same(a.source, b.source);
}

bool same(const graph::Note& a, const graph::Note& b)
{
    return a.text == b.text && a.place == b.place && a.size == b.size && a.frame == b.frame
        && same(a.source, b.source);
}

bool same(const std::pair<NodeId, graph::Position>& a, const std::pair<NodeId, graph::Position>& b)
{
    return a == b;
}

template<typename Part>
Splice<Part> difference(const std::vector<Part>& before, const std::vector<Part>& after)
{
    const std::size_t shorter = std::min(before.size(), after.size());
    std::size_t head = 0;
    while (head < shorter && same(before[head], after[head]))
        ++head;
    std::size_t tail = 0;
    while (tail < shorter - head && same(before[before.size() - 1 - tail], after[after.size() - 1 - tail]))
        ++tail;
    const auto middle = [&](const std::vector<Part>& all) {
        return std::vector<Part>(all.begin() + static_cast<std::ptrdiff_t>(head),
                                 all.end() - static_cast<std::ptrdiff_t>(tail));
    };
    return { head, middle(before), middle(after) };
}

template<typename Part>
void replace(std::vector<Part>& all, std::size_t at, std::size_t count, const std::vector<Part>& parts)
{
    const auto from = all.begin() + static_cast<std::ptrdiff_t>(at);
    if (count == parts.size()) {
        std::copy(parts.begin(), parts.end(), from);
        return;
    }
    const auto gap = all.erase(from, from + static_cast<std::ptrdiff_t>(count));
    all.insert(gap, parts.begin(), parts.end());
}

template<typename Part>
void applyTo(std::vector<Part>& all, const Splice<Part>& splice)
{
    if (!splice.isEmpty())
        replace(all, splice.at, splice.before.size(), splice.after);
}

template<typename Part>
void revertIn(std::vector<Part>& all, const Splice<Part>& splice)
{
    if (!splice.isEmpty())
        replace(all, splice.at, splice.after.size(), splice.before);
}

graph::Graph withoutLists(const graph::Graph& graph)
{
    graph::Graph rest;
    rest.name = graph.name;
    rest.description = graph.description;
    rest.input = graph.input;
    rest.output = graph.output;
    rest.interruptBefore = graph.interruptBefore;
    rest.interruptAfter = graph.interruptAfter;
    rest.interruptIf = graph.interruptIf;
    rest.recursionLimit = graph.recursionLimit;
    rest.checkpointer = graph.checkpointer;
    rest.cache = graph.cache;
    rest.durability = graph.durability;
    rest.store = graph.store;
    rest.sandbox = graph.sandbox;
    return rest;
}

void setRest(graph::Graph& graph, const graph::Graph& rest)
{
    graph::Graph changed = rest;
    changed.channels = std::move(graph.channels);
    changed.nodes = std::move(graph.nodes);
    changed.edges = std::move(graph.edges);
    changed.branches = std::move(graph.branches);
    changed.layout = std::move(graph.layout);
    changed.notes = std::move(graph.notes);
    changed.source = std::move(graph.source);
    graph = std::move(changed);
}

} // namespace

struct GraphChange::Settings {
    graph::Graph before; // both graphs have empty lists
    graph::Graph after;
    ValueMap sourceBefore; // the values as the file held them: large, and nearly always the same
    ValueMap sourceAfter;
    bool isOtherSource = false;
};

GraphChange::GraphChange(const graph::Graph& before, const graph::Graph& after)
    : m_channels(difference(before.channels, after.channels))
    , m_nodes(difference(before.nodes, after.nodes))
    , m_edges(difference(before.edges, after.edges))
    , m_branches(difference(before.branches, after.branches))
    , m_layout(difference(before.layout, after.layout))
    , m_notes(difference(before.notes, after.notes))
{
    Settings settings{ withoutLists(before), withoutLists(after), {}, {}, false };
    settings.isOtherSource = !same(before.source, after.source);
    if (settings.isOtherSource) {
        settings.sourceBefore = before.source;
        settings.sourceAfter = after.source;
    }
    if (settings.isOtherSource || !(settings.before == settings.after))
        m_settings = std::make_shared<const Settings>(std::move(settings));
}

bool GraphChange::isEmpty() const
{
    return m_channels.isEmpty() && m_nodes.isEmpty() && m_edges.isEmpty() && m_branches.isEmpty()
        && m_layout.isEmpty() && m_notes.isEmpty() && !m_settings;
}

void GraphChange::apply(graph::Graph& graph) const
{
    applyTo(graph.channels, m_channels);
    applyTo(graph.nodes, m_nodes);
    applyTo(graph.edges, m_edges);
    applyTo(graph.branches, m_branches);
    applyTo(graph.layout, m_layout);
    applyTo(graph.notes, m_notes);
    if (!m_settings)
        return;
    setRest(graph, m_settings->after);
    if (m_settings->isOtherSource)
        graph.source = m_settings->sourceAfter;
}

void GraphChange::revert(graph::Graph& graph) const
{
    revertIn(graph.channels, m_channels);
    revertIn(graph.nodes, m_nodes);
    revertIn(graph.edges, m_edges);
    revertIn(graph.branches, m_branches);
    revertIn(graph.layout, m_layout);
    revertIn(graph.notes, m_notes);
    if (!m_settings)
        return;
    setRest(graph, m_settings->before);
    if (m_settings->isOtherSource)
        graph.source = m_settings->sourceBefore;
}

} // namespace sg::ui
