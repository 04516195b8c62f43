#include "core/engine/channels/aggregate.h"
#include "core/engine/channels/barrier.h"
#include "core/engine/channels/topic.h"
#include "core/engine/channels/values.h"
#include "core/engine/compiled_graph.h"
#include "core/engine/graph_check.h"
#include "core/engine/node_cache.h"
#include "core/engine/program.h"

#include <algorithm>
#include <set>

namespace sg::engine {
namespace {

std::string branchChannel(const std::string& node)
{
    return "branch:to:" + node;
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
    std::int32_t addChannel(std::string name, std::function<std::unique_ptr<Channel>(Random&)> make,
                            ChannelTraits traits);
    void reserve();
    void addStateChannels();
    void addStateChannel(const graph::Channel& channel);
    std::int32_t addNode(const graph::Node& node, const std::string& name, bool isErrorHandler);
    Result<void> addNodes();
    Result<void> makeBodies(const graph::Node& node, CompiledNode& compiled);
    void addEdges();
    void addWaitingEdge(const graph::Edge& edge);
    Result<void> addBranches();
    std::vector<ReadKey> readKeys(const std::optional<std::vector<std::string>>& schema,
                                  const std::optional<std::vector<std::string>>& slice) const;
    int readGroupOf(const std::vector<ReadKey>& reads);
    void finishNodes();
    void rankNames();
    void finishGraph();
    CompiledNode& nodeNamed(const std::string& name)
    {
        return m_out->nodes[static_cast<std::size_t>(*m_out->findNode(name))];
    }

    const graph::Graph& m_graph;
    NodeCatalog& m_catalog;
    std::shared_ptr<CompiledGraph> m_out;
    std::vector<std::shared_ptr<const std::vector<ReadKey>>> m_readGroups;
};

std::int32_t Compiler::addChannel(std::string name, std::function<std::unique_ptr<Channel>(Random&)> make,
                                  ChannelTraits traits)
{
    const auto index = static_cast<std::int32_t>(m_out->channels.size());
    m_out->channelIndex.emplace(name, index);
    CompiledChannel& channel = m_out->channels.emplace_back();
    channel.key = Value(name);
    channel.name = std::move(name);
    channel.make = std::move(make);
    channel.traits = traits;
    if (traits.clearsItself)
        m_out->clearing.push_back(index);
    if (traits.finishes)
        m_out->finishing.push_back(index);
    return index;
}

void Compiler::addStateChannel(const graph::Channel& channel)
{
    using graph::ChannelType;
    const std::string& name = channel.name;
    const Value key(name);
    constexpr ChannelTraits clearing{ .clearsItself = true, .finishes = false, .sticky = false };
    std::int32_t index = -1;
    switch (channel.type) {
    case ChannelType::LastValue:
        index = addChannel(name, [key](Random&) { return makeLastValue(key); }, {});
        break;
    case ChannelType::Reduce:
        if (channel.storage == graph::ChannelStorage::Delta && graph::maySaveChanges(channel)) {
            index = addChannel(name, [channel](Random& random) { return makeDelta(channel, random); }, {});
            m_out->deltas.push_back(index);
            m_out->channels.back().deltaFrequency = channel.snapshotFrequency;
            m_out->channels.back().keepsMessageIds = channel.reducer == graph::Reducer::AddMessages;
        } else {
            index =
                addChannel(name, [channel](Random& random) { return makeAggregate(channel, random); }, {});
        }
        break;
    case ChannelType::Topic:
        index = addChannel(
            name, [accumulate = channel.accumulate](Random&) { return makeTopic(accumulate); },
            channel.accumulate ? ChannelTraits{} : clearing);
        break;
    case ChannelType::Ephemeral:
        index = addChannel(
            name, [key, guard = channel.guard](Random&) { return makeEphemeral(key, guard); }, clearing);
        break;
    case ChannelType::Untracked:
        index =
            addChannel(name, [key, guard = channel.guard](Random&) { return makeUntracked(key, guard); }, {});
        break;
    case ChannelType::AnyValue:
        index = addChannel(
            name, [](Random&) { return makeAnyValue(); }, clearing);
        break;
    case ChannelType::Delta:
        index = addChannel(name, [](Random&) { return makeDelta(); }, {});
        m_out->deltas.push_back(index);
        m_out->channels.back().deltaFrequency = channel.snapshotFrequency;
        break;
    case ChannelType::RemainingSteps:
        m_out->managed.emplace(name, static_cast<std::int32_t>(ReadKey::Kind::RemainingSteps));
        return;
    case ChannelType::IsLastStep:
        m_out->managed.emplace(name, static_cast<std::int32_t>(ReadKey::Kind::IsLastStep));
        return;
    }
    CompiledChannel& added = m_out->channels.back();
    added.isState = true;
    added.untracked = channel.type == ChannelType::Untracked;
    added.aggregate = channel.type == ChannelType::Reduce && !added.deltaFrequency;
    m_out->hasUntracked = m_out->hasUntracked || added.untracked;
    m_out->stream.push_back(index);
}

void Compiler::addStateChannels()
{
    for (const graph::Channel& channel : m_graph.channels)
        addStateChannel(channel);
    constexpr ChannelTraits clearing{ .clearsItself = true, .finishes = false, .sticky = false };
    m_out->startChannel = addChannel(
        kStartNode, [key = Value(kStartNode)](Random&) { return makeEphemeral(key, true); }, clearing);
    m_out->tasksChannel = addChannel(
        kTasksName, [](Random&) { return makeTopic(false); }, clearing);
}

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
        if (const auto managed = m_out->managed.find(name); managed != m_out->managed.end())
            keys.push_back({ static_cast<ReadKey::Kind>(managed->second), -1, Value(name) });
        else if (const auto channel = m_out->findChannel(name))
            keys.push_back({ ReadKey::Kind::Channel, *channel, m_out->channel(*channel).key });
    }
    return keys;
}

int Compiler::readGroupOf(const std::vector<ReadKey>& reads)
{
    const auto found = std::ranges::find_if(m_readGroups, [&reads](const auto& group) {
        return std::ranges::equal(*group, reads, [](const ReadKey& a, const ReadKey& b) {
            return a.kind == b.kind && a.channel == b.channel && a.key == b.key;
        });
    });
    const auto place = found - m_readGroups.begin();
    if (found == m_readGroups.end())
        m_readGroups.push_back(std::make_shared<std::vector<ReadKey>>(reads));
    return static_cast<int>(place);
}

std::int32_t Compiler::addNode(const graph::Node& node, const std::string& name, bool isErrorHandler)
{
    const auto index = static_cast<std::int32_t>(m_out->nodes.size());
    m_out->nodeIndex.emplace(name, index);
    const std::string trigger = branchChannel(name);
    const bool deferred = node.defer && !isErrorHandler;
    const std::int32_t channel = deferred
        ? addChannel(trigger, [](Random&) { return makeLastValueAfterFinish(); },
                     { .clearsItself = false, .finishes = true, .sticky = false })
        : addChannel(trigger, [key = Value(trigger)](Random&) { return makeEphemeral(key, false); },
                     { .clearsItself = true, .finishes = false, .sticky = false });
    CompiledNode& compiled = m_out->nodes.emplace_back();
    compiled.name = NodeId(name);
    compiled.key = Value(name);
    compiled.triggers = { channel };
    compiled.reads = readKeys(node.input, node.reads);
    compiled.readGroup = readGroupOf(compiled.reads);
    // The slice is what the node sees; where the graph goes on is not the node's affair.
    const int branchGroup = node.reads ? readGroupOf(readKeys(node.input, {})) : compiled.readGroup;
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
    if (node.subgraph) {
        auto subgraph = Compiler(*node.subgraph, m_catalog).compile();
        if (!subgraph)
            return std::move(subgraph.error());
        compiled.subgraph = *std::move(subgraph);
        compiled.mayBlock = compiled.subgraph->mayBlock;
        // Without a mapping of input and result the subgraph is the node.
        if (!node.settings.contains("in") && !node.settings.contains("out")
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
    start.branchReads = std::make_shared<std::vector<ReadKey>>(readKeys({}, {}));
    start.readGroup = -1;
    m_out->nodeIndex.emplace(kStartNode, 0);
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

void Compiler::addEdges()
{
    for (const graph::Edge& edge : m_graph.edges) {
        if (edge.waiting || edge.to.value == kEndNode)
            continue;
        const std::int32_t channel = *m_out->findChannel(branchChannel(edge.to.value));
        for (const NodeId& from : edge.from) {
            Writes& writes = nodeNamed(from.value).staticWrites;
            if (std::ranges::find(writes, channel, &Write::channel) != writes.end())
                continue; // the same edge twice is one edge
            writes.push_back({ channel, {}, {} });
            if (from.value != kStartNode)
                m_out->plainEdges.emplace_back(from.value, edge.to.value);
        }
    }
    for (const graph::Edge& edge : m_graph.edges)
        if (edge.waiting && edge.to.value != kEndNode)
            addWaitingEdge(edge);
}

void Compiler::addWaitingEdge(const graph::Edge& edge)
{
    std::string name = "join:";
    for (const NodeId& from : edge.from)
        (name += &from == edge.from.data() ? "" : "+") += from.value;
    (name += ':') += edge.to.value;
    if (m_out->findChannel(name))
        return;
    std::vector<CompiledNode*> starts;
    std::vector<Value> names;
    for (const NodeId& from : edge.from) {
        starts.push_back(&nodeNamed(from.value));
        names.push_back(starts.back()->key);
    }
    CompiledNode& to = nodeNamed(edge.to.value);
    const bool deferred = m_out->channel(to.triggers.front()).traits.finishes;
    std::shared_ptr<const Channel> fresh = makeBarrier(name, std::move(names), deferred);
    const std::int32_t channel =
        addChannel(std::move(name), [fresh = std::move(fresh)](Random&) { return fresh->clone(); },
                   { .clearsItself = false, .finishes = deferred, .sticky = false });
    to.triggers.push_back(channel);
    for (CompiledNode* start : starts)
        start->staticWrites.push_back({ channel, start->key, {} });
}

Result<void> Compiler::addBranches()
{
    for (std::size_t i = 0; i < m_graph.branches.size(); ++i) {
        const graph::Branch& branch = m_graph.branches[i];
        auto body = m_catalog.makeBranch(branch);
        if (!body)
            return std::move(body.error()).during("branch from '" + branch.from.value + "'");
        CompiledNode& from = nodeNamed(branch.from.value);
        from.mayBlock = from.mayBlock || (*body)->mayBlock();
        from.branches.push_back({ "cond" + std::to_string(i), *std::move(body), branch.targets });
    }
    return {};
}

void Compiler::finishNodes()
{
    for (std::size_t i = 0; i < m_out->nodes.size(); ++i) {
        CompiledNode& node = m_out->nodes[i];
        node.pathText = Value(std::string("~") + kPullName + ", " + node.name.value);
        std::vector<std::string> names;
        for (const std::int32_t trigger : node.triggers) {
            names.push_back(m_out->channel(trigger).name);
            m_out->channels[static_cast<std::size_t>(trigger)].triggers.push_back(
                static_cast<std::int32_t>(i));
        }
        std::ranges::sort(names);
        node.idSuffix = node.name.value + kPullName;
        ValueList sorted;
        for (const std::string& name : names) {
            node.idSuffix += name;
            sorted.emplace_back(name);
        }
        node.sortedTriggers = Value(std::move(sorted));
        if (node.mayWrite)
            node.mayWrite->resize(m_out->channels.size(), true); // control channels are not slices
        m_out->mayBlock = m_out->mayBlock || node.mayBlock;
    }
}

void Compiler::rankNames()
{
    std::vector<CompiledNode*> order;
    for (CompiledNode& node : m_out->nodes)
        order.push_back(&node);
    std::ranges::sort(order, {},
                      [](const CompiledNode* node) -> const std::string& { return node->name.value; });
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i]->nameRank = static_cast<int>(i);
}

void Compiler::finishGraph()
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
    m_out->recursionLimit = m_graph.recursionLimit;
    m_out->checkpointer = m_graph.checkpointer;
    if (m_graph.cache)
        m_out->cache = std::make_shared<NodeCache>();
}

Result<std::shared_ptr<const CompiledGraph>> Compiler::compile()
{
    reserve();
    addStateChannels();
    if (const auto problem = checkGraph(m_graph))
        return Error{ Errc::InvalidArgument, problem->message };
    if (auto added = addNodes(); !added)
        return std::move(added.error());
    addEdges();
    if (auto added = addBranches(); !added)
        return std::move(added.error());
    finishNodes();
    rankNames();
    finishGraph();
    return std::shared_ptr<const CompiledGraph>(std::move(m_out));
}

} // namespace

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
