#include "core/engine/channels/values.h"
#include "core/engine/compile/graph_check.h"
#include "core/engine/compile/lowering.h"
#include "core/engine/compile/node_cache.h"
#include "core/engine/program.h"

#include <algorithm>

namespace sg::engine {
namespace {

void triggerNames(const CompiledGraph& graph, const CompiledNode& node, std::vector<std::string_view>& names)
{
    names.clear();
    for (const std::int32_t trigger : node.triggers)
        names.push_back(graph.channel(trigger).name());
    if (names.size() > 1)
        std::ranges::sort(names);
}

// Packs the first eight bytes of the name into a number that sorts as the names do.
std::uint64_t firstBytes(std::string_view name)
{
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < sizeof bytes; ++i)
        bytes = bytes << 8 | (i < name.size() ? static_cast<unsigned char>(name[i]) : 0);
    return bytes;
}

// Lowers one graph into channels, triggers and writers, as StateGraph.compile() does.
class Compiler {
public:
    Compiler(const graph::Graph& graph, NodeCatalog& catalog)
        : m_graph(graph)
        , m_catalog(catalog)
        , m_out(std::make_shared<CompiledGraph>())
    {
    }
    Result<std::shared_ptr<const CompiledGraph>> compile();

private:
    void reserve();
    std::int32_t addNode(const graph::Node& node, const std::string& name, bool isErrorHandler);
    Result<void> addNodes();
    Result<void> makeBodies(const graph::Node& node, CompiledNode& compiled);
    Result<void> addBranches();
    std::vector<ReadKey> readKeys(const std::optional<std::vector<std::string>>& schema,
                                  const std::optional<std::vector<std::string>>& slice) const;
    int readGroupOf(const std::optional<std::vector<std::string>>& schema,
                    const std::optional<std::vector<std::string>>& slice);
    void finishNodes();
    void rankNames();
    Result<void> addConditions(const graph::Conditions& conditions, NodeSelection& selection);
    Result<void> finishGraph();
    const graph::Graph& m_graph;
    NodeCatalog& m_catalog;
    std::shared_ptr<CompiledGraph> m_out;
    std::vector<std::shared_ptr<const std::vector<ReadKey>>> m_readGroups;
    int m_wholeState = -1; // the group that reads the whole state; -1: not met yet
};

void Compiler::reserve()
{
    const std::size_t nodes = m_graph.nodes.size() + 1;
    const std::size_t channels = m_graph.channels.size() + nodes + m_graph.edges.size() + 1;
    m_out->nodes.reserve(nodes);
    m_out->nodeIndex.reserve(nodes);
    m_out->channels.reserve(channels);
    m_out->channelIndex.reserve(channels);
}

std::vector<ReadKey> Compiler::readKeys(const std::optional<std::vector<std::string>>& schema,
                                        const std::optional<std::vector<std::string>>& slice) const
{
    std::vector<ReadKey> keys;
    std::vector<std::string> names;
    if (schema)
        names = *schema;
    else
        for (const graph::Channel& channel : m_graph.channels)
            names.push_back(channel.name);
    for (const std::string& name : names) {
        if (slice && std::ranges::find(*slice, name) == slice->end())
            continue;
        if (std::ranges::any_of(keys, [&name](const ReadKey& key) { return key.key.asString() == name; }))
            continue;
        if (const auto managed = m_out->findManaged(name))
            keys.push_back({ *managed, -1, Value(name) });
        else if (const auto channel = m_out->findChannel(name))
            keys.push_back({ ReadKey::Kind::Channel, *channel, m_out->channel(*channel).key });
    }
    return keys;
}

// The group that reads the whole state is remembered, because most nodes read it.
int Compiler::readGroupOf(const std::optional<std::vector<std::string>>& schema,
                          const std::optional<std::vector<std::string>>& slice)
{
    if (!schema && !slice && m_wholeState >= 0)
        return m_wholeState;
    std::vector<ReadKey> reads = readKeys(schema, slice);
    const auto found = std::ranges::find_if(m_readGroups, [&reads](const auto& group) {
        return std::ranges::equal(*group, reads, [](const ReadKey& a, const ReadKey& b) {
            return a.kind == b.kind && a.channel == b.channel && a.key == b.key;
        });
    });
    const auto place = static_cast<int>(found - m_readGroups.begin());
    if (found == m_readGroups.end())
        m_readGroups.push_back(std::make_shared<std::vector<ReadKey>>(std::move(reads)));
    if (!schema && !slice)
        m_wholeState = place;
    return place;
}

std::int32_t Compiler::addNode(const graph::Node& node, const std::string& name, bool isErrorHandler)
{
    const auto index = static_cast<std::int32_t>(m_out->nodes.size());
    Value trigger(branchChannel(name));
    const bool deferred = node.defer && !isErrorHandler;
    const std::int32_t channel = deferred
        ? addChannel(*m_out, std::move(trigger), makeLastValueAfterFinish(),
                     { .clearsItself = false, .finishes = true, .sticky = false })
        : addChannel(*m_out, trigger, makeEphemeral(trigger, false),
                     { .clearsItself = true, .finishes = false, .sticky = false });
    CompiledNode& compiled = m_out->nodes.emplace_back();
    compiled.name = NodeId(name);
    compiled.key = Value(name);
    m_out->nodeIndex.add(compiled.key.asString(), index);
    compiled.triggers.push_back(channel);
    compiled.readGroup = readGroupOf(node.input, node.reads);
    compiled.reads = m_readGroups[static_cast<std::size_t>(compiled.readGroup)];
    // The slice limits what the node sees; its branches still see the whole state.
    const int branchGroup = node.reads ? readGroupOf(node.input, {}) : compiled.readGroup;
    compiled.branchReads = m_readGroups[static_cast<std::size_t>(branchGroup)];
    compiled.isErrorHandler = isErrorHandler;
    if (node.writes) {
        compiled.mayWrite.emplace(m_out->channels.size(), false);
        for (const std::string& key : *node.writes)
            if (const auto written = m_out->findChannel(key))
                (*compiled.mayWrite)[static_cast<std::size_t>(*written)] = true;
    }
    if (!isErrorHandler) {
        compiled.retry = node.retry;
        compiled.cache = node.cache;
    }
    return index;
}

Result<void> Compiler::makeBodies(const graph::Node& node, CompiledNode& compiled)
{
    auto inner = m_catalog.graphIn(node);
    if (!inner)
        return std::move(inner.error()).during("node '" + node.name.value + "'");
    if (*inner) {
        auto subgraph = Compiler(**inner, m_catalog).compile();
        if (!subgraph)
            return std::move(subgraph.error());
        compiled.subgraph = *std::move(subgraph);
        compiled.mayBlock = compiled.subgraph->mayBlock;
        // Without a mapping of input and result the subgraph is the node.
        if (node.subgraph == *inner && !node.settings.contains("in") && !node.settings.contains("out")
            && !node.settings.contains("calls"))
            return {};
    }
    auto body = m_catalog.makeNode(node);
    if (!body)
        return std::move(body.error()).during("node '" + node.name.value + "'");
    compiled.body = *std::move(body);
    compiled.mayBlock = compiled.mayBlock || compiled.body->mayBlock();
    return {};
}

Result<void> Compiler::addNodes()
{
    CompiledNode& start = m_out->nodes.emplace_back();
    start.name = NodeId(kStartNode);
    start.key = Value(kStartNode);
    start.triggers = { m_out->startChannel };
    start.reads = std::make_shared<std::vector<ReadKey>>();
    start.branchReads = m_readGroups[static_cast<std::size_t>(readGroupOf({}, {}))];
    start.readGroup = -1;
    m_out->nodeIndex.add(start.key.asString(), 0);
    for (const graph::Node& node : m_graph.nodes) {
        std::optional<std::int32_t> handler;
        if (!node.errorHandler.isNull()) {
            handler = addNode(node, kErrorHandlerPrefix + node.name.value, true);
            auto body = m_catalog.makeErrorHandler(node);
            if (!body)
                return std::move(body.error()).during("error handler of '" + node.name.value + "'");
            CompiledNode& compiled = m_out->nodes.back();
            compiled.body = *std::move(body);
            compiled.mayBlock = compiled.body->mayBlock();
        }
        addNode(node, node.name.value, false);
        CompiledNode& compiled = m_out->nodes.back();
        compiled.errorHandler = handler;
        if (auto made = makeBodies(node, compiled); !made)
            return made;
    }
    return {};
}

Result<void> Compiler::addBranches()
{
    for (std::size_t i = 0; i < m_graph.branches.size(); ++i) {
        const graph::Branch& branch = m_graph.branches[i];
        auto body = m_catalog.makeBranch(branch);
        if (!body)
            return std::move(body.error()).during("branch from '" + branch.from.value + "'");
        CompiledNode& from = m_out->nodes[static_cast<std::size_t>(*m_out->findNode(branch.from.value))];
        from.mayBlock = from.mayBlock || (*body)->mayBlock();
        CompiledBranch& compiled = from.branches.emplace_back();
        compiled.name = "cond" + std::to_string(i);
        compiled.body = *std::move(body);
        if (!branch.targets)
            continue;
        compiled.targets.emplace();
        for (const auto& [label, node] : *branch.targets) {
            const auto channel =
                node.value == kEndNode ? std::nullopt : m_out->findChannel(branchChannel(node.value));
            compiled.targets->push_back({ label, node, channel.value_or(kUnknownChannel) });
        }
    }
    return {};
}

void Compiler::finishNodes()
{
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < m_out->nodes.size(); ++i) {
        CompiledNode& node = m_out->nodes[i];
        for (const std::int32_t trigger : node.triggers)
            m_out->channels[static_cast<std::size_t>(trigger)].triggers.push_back(
                static_cast<std::int32_t>(i));
        triggerNames(*m_out, node, names);
        std::size_t size = node.name.value.size() + std::string_view(kPullName).size();
        for (const std::string_view name : names)
            size += name.size();
        node.idSuffix.reserve(size);
        (node.idSuffix += node.name.value) += kPullName;
        for (const std::string_view name : names)
            node.idSuffix += name;
        if (node.mayWrite)
            node.mayWrite->resize(m_out->channels.size(), true); // slices limit state channels alone
        m_out->mayBlock = m_out->mayBlock || node.mayBlock;
    }
}

void Compiler::rankNames()
{
    struct Ranked {
        std::uint64_t start = 0; // the name's first bytes as a number, which nearly always decides
        CompiledNode* node = nullptr;
    };
    std::vector<Ranked> order;
    order.reserve(m_out->nodes.size());
    for (CompiledNode& node : m_out->nodes)
        order.push_back({ firstBytes(node.name.value), &node });
    std::ranges::sort(order, [](const Ranked& a, const Ranked& b) {
        return a.start != b.start ? a.start < b.start : a.node->name.value < b.node->name.value;
    });
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i].node->nameRank = static_cast<int>(i);
}

// A condition is compiled as a branch that leads nowhere: only its result is looked at.
Result<void> Compiler::addConditions(const graph::Conditions& conditions, NodeSelection& selection)
{
    for (const auto& [node, program] : conditions) {
        const auto index = m_out->findNode(node);
        if (!index || selection.empty())
            continue; // graph::validate() reports it
        graph::Branch branch;
        branch.from = NodeId(node);
        branch.settings.set("jq", program);
        auto body = m_catalog.makeBranch(branch);
        if (!body)
            return std::move(body.error()).during("condition of the breakpoint at '" + node + "'");
        selection.conditions.resize(m_out->nodes.size());
        selection.conditions[static_cast<std::size_t>(*index)] = *std::move(body);
    }
    return {};
}

Result<void> Compiler::finishGraph()
{
    m_out->name = m_graph.name;
    m_out->inputKeys.assign(m_out->channels.size(), false);
    const auto keysOf = [this](const std::optional<std::vector<std::string>>& schema) {
        std::vector<std::int32_t> keys;
        for (const ReadKey& key : readKeys(schema, {}))
            if (key.kind == ReadKey::Kind::Channel)
                keys.push_back(key.channel);
        return keys;
    };
    for (const std::int32_t key : keysOf(m_graph.input))
        m_out->inputKeys[static_cast<std::size_t>(key)] = true;
    m_out->output = keysOf(m_graph.output);
    m_out->stickyOutput = std::ranges::all_of(
        m_out->output, [this](std::int32_t key) { return m_out->channel(key).traits.sticky; });
    m_out->interruptBefore = selectNodes(*m_out, m_graph.interruptBefore);
    m_out->interruptAfter = selectNodes(*m_out, m_graph.interruptAfter);
    for (auto [conditions, selection] : { std::pair(&m_graph.interruptIf.before, &m_out->interruptBefore),
                                          std::pair(&m_graph.interruptIf.after, &m_out->interruptAfter) })
        if (auto added = addConditions(*conditions, *selection); !added)
            return added;
    m_out->recursionLimit = m_graph.recursionLimit;
    m_out->checkpointer = m_graph.checkpointer;
    if (m_graph.cache)
        m_out->cache = std::make_shared<NodeCache>();
    return {};
}

Result<std::shared_ptr<const CompiledGraph>> Compiler::compile()
{
    reserve();
    addStateChannels(m_graph, *m_out);
    if (const auto problem = checkGraph(m_graph))
        return Error{ Errc::InvalidArgument, problem->message };
    if (auto added = addNodes(); !added)
        return std::move(added.error());
    addEdges(m_graph, *m_out);
    if (auto added = addBranches(); !added)
        return std::move(added.error());
    finishNodes();
    rankNames();
    if (auto finished = finishGraph(); !finished)
        return std::move(finished.error());
    return std::shared_ptr<const CompiledGraph>(std::move(m_out));
}

} // namespace

Value sortedTriggers(const CompiledGraph& graph, const CompiledNode& node)
{
    std::vector<std::string_view> names;
    triggerNames(graph, node, names);
    return Value(ValueList(names.begin(), names.end()));
}

NodeSelection selectNodes(const CompiledGraph& graph, const std::vector<std::string>& names)
{
    NodeSelection selection;
    for (const std::string& name : names) {
        if (name == "*") {
            selection.all = true;
        } else if (const auto node = graph.findNode(name)) {
            selection.nodes.resize(graph.nodes.size(), false);
            selection.nodes[static_cast<std::size_t>(*node)] = true;
        }
    }
    return selection;
}

Result<Program> compile(const graph::Graph& graph, NodeCatalog& catalog)
{
    auto compiled = Compiler(graph, catalog).compile();
    if (!compiled)
        return std::move(compiled.error());
    return Program(*std::move(compiled));
}

} // namespace sg::engine
