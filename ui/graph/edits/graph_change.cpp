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

// These name all members, so that a new one does not compile until it is compared.
bool same(const graph::Channel& a, const graph::Channel& b)
{
    const auto& [name, type, reducer, hasDefault, defaultValue, accumulate, guard, storage, snapshotFrequency,
                 source] = a;
    return name == b.name && type == b.type && reducer == b.reducer && hasDefault == b.hasDefault
        && defaultValue == b.defaultValue && accumulate == b.accumulate && guard == b.guard
        && storage == b.storage && snapshotFrequency == b.snapshotFrequency && same(source, b.source);
}

bool same(const std::shared_ptr<const graph::Graph>& a, const std::shared_ptr<const graph::Graph>& b)
{
    return a == b || (a && b && *a == *b);
}

bool same(const graph::Node& a, const graph::Node& b)
{
    const auto& [name, kind, settings, defer, retry, cache, input, reads, writes, errorHandler, subgraph,
                 source] = a;
    return name == b.name && kind == b.kind && same(settings, b.settings) && defer == b.defer
        && retry == b.retry && cache == b.cache && input == b.input && reads == b.reads && writes == b.writes
        && errorHandler == b.errorHandler && same(subgraph, b.subgraph) && same(source, b.source);
}

bool same(const graph::Edge& a, const graph::Edge& b)
{
    return a == b;
}

bool same(const graph::Branch& a, const graph::Branch& b)
{
    const auto& [from, settings, targets, source] = a;
    return from == b.from && same(settings, b.settings) && targets == b.targets && same(source, b.source);
}

bool same(const graph::Note& a, const graph::Note& b)
{
    const auto& [text, place, size, frame, source] = a;
    return text == b.text && place == b.place && size == b.size && frame == b.frame && same(source, b.source);
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

// The names of all members: one that is new does not compile until it is named here, so none is lost by undo.
graph::Graph withoutLists(const graph::Graph& graph)
{
    const auto& [name, description, channels, nodes, edges, branches, input, output, inputExample,
                 interruptBefore, interruptAfter, interruptIf, recursionLimit, checkpointer, cache,
                 durability, store, llm, mcp, roles, sandbox, layout, notes, source] = graph;
    graph::Graph rest;
    rest.name = name;
    rest.description = description;
    rest.input = input;
    rest.output = output;
    rest.inputExample = inputExample;
    rest.interruptBefore = interruptBefore;
    rest.interruptAfter = interruptAfter;
    rest.interruptIf = interruptIf;
    rest.recursionLimit = recursionLimit;
    rest.checkpointer = checkpointer;
    rest.cache = cache;
    rest.durability = durability;
    rest.store = store;
    rest.llm = llm;
    rest.mcp = mcp;
    rest.roles = roles;
    rest.sandbox = sandbox;
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
