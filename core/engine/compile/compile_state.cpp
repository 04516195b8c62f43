#include "core/engine/channels/aggregate.h"
#include "core/engine/channels/topic.h"
#include "core/engine/channels/values.h"
#include "core/engine/compile/lowering.h"

namespace sg::engine {
namespace {

using graph::ChannelType;

constexpr ChannelTraits kClearing{ .clearsItself = true, .finishes = false, .sticky = false };

bool isDelta(const graph::Channel& channel)
{
    return channel.type == ChannelType::Delta
        || (channel.type == ChannelType::Reduce && channel.storage == graph::ChannelStorage::Delta
            && graph::maySaveChanges(channel));
}

std::unique_ptr<const Channel> freshChannel(const graph::Channel& channel, const Value& key)
{
    switch (channel.type) {
    case ChannelType::LastValue: return makeLastValue(key);
    case ChannelType::Topic: return makeTopic(channel.accumulate);
    case ChannelType::Ephemeral: return makeEphemeral(key, channel.guard);
    case ChannelType::Untracked: return makeUntracked(key, channel.guard);
    case ChannelType::AnyValue: return makeAnyValue();
    case ChannelType::Delta: return makeDelta();
    case ChannelType::Reduce: // needs a Random
    case ChannelType::RemainingSteps: // no channels
    case ChannelType::IsLastStep: break;
    }
    return nullptr;
}

bool clearsItself(const graph::Channel& channel)
{
    return channel.type == ChannelType::Ephemeral || channel.type == ChannelType::AnyValue
        || (channel.type == ChannelType::Topic && !channel.accumulate);
}

void addStateChannel(const graph::Channel& channel, CompiledGraph& graph)
{
    if (channel.type == ChannelType::RemainingSteps || channel.type == ChannelType::IsLastStep) {
        graph.managed.emplace_back(channel.name,
                                   channel.type == ChannelType::IsLastStep ? ReadKey::Kind::IsLastStep
                                                                           : ReadKey::Kind::RemainingSteps);
        return;
    }
    const Value key(channel.name);
    const std::int32_t index = addChannel(graph, key, freshChannel(channel, key),
                                          clearsItself(channel) ? kClearing : ChannelTraits());
    CompiledChannel& added = graph.channels.back();
    if (isDelta(channel)) {
        graph.deltas.push_back(index);
        added.deltaFrequency = channel.snapshotFrequency;
    }
    if (channel.type == ChannelType::Reduce) {
        added.keepsMessageIds = added.deltaFrequency && channel.reducer == graph::Reducer::AddMessages;
        added.aggregate = !added.deltaFrequency;
        added.make = [channel, changes = !added.aggregate](Random& random) {
            return changes ? makeDelta(channel, random) : makeAggregate(channel, random);
        };
    }
    added.isState = true;
    added.untracked = channel.type == ChannelType::Untracked;
    graph.hasUntracked = graph.hasUntracked || added.untracked;
    graph.stream.push_back(index);
}

} // namespace

std::int32_t addChannel(CompiledGraph& graph, Value key, std::unique_ptr<const Channel> fresh,
                        ChannelTraits traits)
{
    const auto index = static_cast<std::int32_t>(graph.channels.size());
    graph.channelIndex.add(key.asString(), index);
    CompiledChannel& channel = graph.channels.emplace_back();
    channel.key = std::move(key);
    channel.fresh = std::move(fresh);
    channel.traits = traits;
    if (traits.clearsItself)
        graph.clearing.push_back(index);
    if (traits.finishes)
        graph.finishing.push_back(index);
    return index;
}

void addStateChannels(const graph::Graph& source, CompiledGraph& graph)
{
    for (const graph::Channel& channel : source.channels)
        addStateChannel(channel, graph);
    const Value start(kStartNode);
    graph.startChannel = addChannel(graph, start, makeEphemeral(start, true), kClearing);
    graph.tasksChannel = addChannel(graph, Value(kTasksName), makeTopic(false), kClearing);
}

} // namespace sg::engine
