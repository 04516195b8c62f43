#include "tests/conformance/engine/case_graph.h"

#include "tests/conformance/engine/name_list.h"

#include <array>
#include <utility>

namespace sg::conformance {
namespace {

using graph::ChannelType;
using graph::Reducer;

std::optional<std::vector<std::string>> optionalNames(const Value& owner, const char* key)
{
    if (owner.find(key) == nullptr)
        return std::nullopt;
    return namesIn(owner[key]);
}

// LangGraph makes the first value by calling the channel's type: a case's default says only which type.
Value zeroLike(const Value& example)
{
    switch (example.kind()) {
    case Value::Kind::Bool: return Value(false);
    case Value::Kind::Int:
    case Value::Kind::Unsigned: return Value(0);
    case Value::Kind::Double: return Value(0.0);
    case Value::Kind::String: return Value("");
    case Value::Kind::Bytes: return Value(Bytes{});
    case Value::Kind::List: return Value(ValueList());
    case Value::Kind::Map: return Value(ValueMap());
    case Value::Kind::Null:
    case Value::Kind::Ext: break;
    }
    return {};
}

graph::Channel channelOf(const std::string& name, const Value& spec)
{
    constexpr std::array<std::pair<const char*, ChannelType>, 9> types{ {
        { "last_value", ChannelType::LastValue },
        { "reduce", ChannelType::Reduce },
        { "topic", ChannelType::Topic },
        { "ephemeral", ChannelType::Ephemeral },
        { "untracked", ChannelType::Untracked },
        { "any_value", ChannelType::AnyValue },
        { "delta", ChannelType::Delta },
        { "remaining_steps", ChannelType::RemainingSteps },
        { "is_last_step", ChannelType::IsLastStep },
    } };
    constexpr std::array<std::pair<const char*, Reducer>, 10> reducers{ {
        { "add", Reducer::Add },
        { "append", Reducer::Append },
        { "concat", Reducer::Concat },
        { "max", Reducer::Max },
        { "min", Reducer::Min },
        { "mul", Reducer::Mul },
        { "merge", Reducer::Merge },
        { "union", Reducer::Union },
        { "last", Reducer::Last },
        { "add_messages", Reducer::AddMessages },
    } };
    graph::Channel channel;
    channel.name = name;
    for (const auto& [type, value] : types)
        if (spec.stringOr("type", "last_value") == type)
            channel.type = value;
    for (const auto& [reducer, value] : reducers)
        if (spec.stringOr("reducer", "") == reducer)
            channel.reducer = value;
    if (const Value* initial = spec.find("default")) {
        channel.hasDefault = true;
        channel.defaultValue = zeroLike(*initial);
    }
    channel.accumulate = spec.boolOr("accumulate", false);
    channel.guard = spec.boolOr("guard", true);
    channel.snapshotFrequency = static_cast<int>(spec.intOr("snapshot_frequency", 100));
    return channel;
}

double numberOr(const Value& owner, const char* key, double fallback)
{
    return owner[key].isNumber() ? owner[key].asDouble() : fallback;
}

graph::RetryPolicy retryOf(const Value& spec)
{
    graph::RetryPolicy policy;
    policy.maxAttempts = static_cast<int>(spec.intOr("max_attempts", 3));
    policy.initialInterval = numberOr(spec, "initial_interval", 0);
    policy.backoffFactor = numberOr(spec, "backoff_factor", 1);
    policy.jitter = false;
    policy.retryOn = namesIn(spec["retry_on"]);
    return policy;
}

graph::Node nodeOf(const Value& spec, std::vector<std::string>& programs, const std::string& parentPath)
{
    graph::Node node;
    node.name = NodeId(spec["name"].asString());
    const std::string path = (parentPath.empty() ? "" : parentPath + "/") + node.name.value;
    node.settings = spec.asMap();
    for (const char* key : { "jq", "in", "out" })
        if (spec[key].isString())
            programs.push_back(spec[key].asString());
    if (spec["fail"]["when"].isString())
        programs.push_back(spec["fail"]["when"].asString());
    if (spec["error_handler"]["jq"].isString())
        programs.push_back(spec["error_handler"]["jq"].asString());
    node.settings.set("path", Value(path));
    node.defer = spec.boolOr("defer", false);
    if (const Value* retry = spec.find("retry"); retry != nullptr && retry->isList())
        for (const Value& policy : retry->asList())
            node.retry.push_back(retryOf(policy));
    else if (retry != nullptr)
        node.retry.push_back(retryOf(*retry));
    if (const Value* cache = spec.find("cache")) {
        node.cache.emplace();
        if ((*cache)["ttl"].isNumber())
            node.cache->ttl = (*cache)["ttl"].asDouble();
    }
    node.input = optionalNames(spec, "input");
    node.errorHandler = spec["error_handler"];
    if (spec.find("subgraph") != nullptr)
        node.subgraph = std::make_shared<graph::Graph>(caseGraph(spec["subgraph"], programs, path));
    return node;
}

graph::Branch branchOf(const Value& spec)
{
    graph::Branch branch;
    branch.from = NodeId(spec["from"].asString());
    branch.settings = spec.asMap();
    const Value& map = spec["map"];
    if (map.isMap()) {
        branch.targets.emplace();
        for (const auto& [label, target] : map.asMap())
            branch.targets->emplace_back(label.asString(), NodeId(target.asString()));
    } else if (map.isList()) {
        branch.targets.emplace();
        for (const std::string& name : namesIn(map))
            branch.targets->emplace_back(name, NodeId(name));
    }
    return branch;
}

} // namespace

graph::Graph caseGraph(const Value& description, std::vector<std::string>& programs, const std::string& path)
{
    graph::Graph graph;
    for (const auto& [name, spec] : description["state"].asMap())
        graph.channels.push_back(channelOf(name.asString(), spec));
    for (const Value& node : description["nodes"].asList())
        graph.nodes.push_back(nodeOf(node, programs, path));
    if (description["edges"].isList())
        for (const Value& edge : description["edges"].asList()) {
            graph::Edge& added = graph.edges.emplace_back();
            added.waiting = edge[0].isList();
            for (const std::string& from : namesIn(edge[0]))
                added.from.emplace_back(from);
            added.to = NodeId(edge[1].asString());
        }
    if (description["conditional"].isList())
        for (const Value& branch : description["conditional"].asList()) {
            graph.branches.push_back(branchOf(branch));
            programs.push_back(branch["jq"].asString());
        }
    graph.input = optionalNames(description, "input");
    graph.output = optionalNames(description, "output");
    graph.interruptBefore = namesIn(description["interrupt_before"]);
    graph.interruptAfter = namesIn(description["interrupt_after"]);
    if (description["checkpointer"].isBool())
        graph.checkpointer =
            description["checkpointer"].asBool() ? graph::Checkpointer::Own : graph::Checkpointer::None;
    graph.cache = description.boolOr("cache", false);
    return graph;
}

} // namespace sg::conformance
