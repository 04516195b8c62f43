#include "core/graph/graph.h"

#include "core/graph/graph_value.h"

#include <algorithm>
#include <array>

namespace sg::graph {

namespace {

template<typename Enum, std::size_t Count>
using Names = std::array<std::pair<Enum, std::string_view>, Count>;

constexpr Names<ChannelType, 9> kChannelTypes{ {
    { ChannelType::LastValue, "last_value" },
    { ChannelType::Reduce, "reduce" },
    { ChannelType::Topic, "topic" },
    { ChannelType::Ephemeral, "ephemeral" },
    { ChannelType::Untracked, "untracked" },
    { ChannelType::AnyValue, "any_value" },
    { ChannelType::Delta, "delta" },
    { ChannelType::RemainingSteps, "remaining_steps" },
    { ChannelType::IsLastStep, "is_last_step" },
} };

constexpr Names<Reducer, 10> kReducers{ {
    { Reducer::Add, "add" },
    { Reducer::Append, "append" },
    { Reducer::Concat, "concat" },
    { Reducer::Max, "max" },
    { Reducer::Min, "min" },
    { Reducer::Mul, "mul" },
    { Reducer::Merge, "merge" },
    { Reducer::Union, "union" },
    { Reducer::Last, "last" },
    { Reducer::AddMessages, "add_messages" },
} };

constexpr std::array<std::string_view, 20> kReserved{
    "__start__",
    "__end__",
    "__input__",
    "__interrupt__",
    "__resume__",
    "__error__",
    "__error_source_node__",
    "__no_writes__",
    "__pregel_tasks",
    "__return__",
    "__previous__",
    "__snapshot_bumps__",
    "__pregel_push",
    "__pregel_pull",
    "__overwrite__",
    "__scheduled__",
    "__root__",
    "__copy__",
    "__metadata__",
    "__notes__",
};

template<typename Enum, std::size_t Count>
std::string_view nameOf(const Names<Enum, Count>& names, Enum value)
{
    const auto found = std::ranges::find(names, value, &std::pair<Enum, std::string_view>::first);
    return found == names.end() ? std::string_view() : found->second;
}

template<typename Enum, std::size_t Count>
std::optional<Enum> named(const Names<Enum, Count>& names, std::string_view name)
{
    const auto found = std::ranges::find(names, name, &std::pair<Enum, std::string_view>::second);
    return found == names.end() ? std::nullopt : std::optional(found->first);
}

template<typename Enum, std::size_t Count>
std::vector<std::string_view> allNames(const Names<Enum, Count>& names)
{
    std::vector<std::string_view> result;
    result.reserve(Count);
    for (const auto& [value, name] : names)
        result.push_back(name);
    return result;
}

} // namespace

const Node* Graph::findNode(const NodeId& id) const
{
    const auto found = std::ranges::find(nodes, id, &Node::name);
    return found == nodes.end() ? nullptr : &*found;
}

const Channel* Graph::findChannel(std::string_view channel) const
{
    const auto found = std::ranges::find(channels, channel, &Channel::name);
    return found == channels.end() ? nullptr : &*found;
}

std::vector<std::string> Graph::inputChannels() const
{
    if (input)
        return *input;
    std::vector<std::string> names;
    for (const Channel& channel : channels)
        names.push_back(channel.name);
    return names;
}

bool operator==(const Graph& a, const Graph& b)
{
    return graphValue(a) == graphValue(b);
}

std::string_view channelTypeName(ChannelType type)
{
    return nameOf(kChannelTypes, type);
}
bool maySaveChanges(const Channel& channel)
{
    return channel.type == ChannelType::Reduce
        && (channel.reducer == Reducer::Append || channel.reducer == Reducer::AddMessages);
}

std::string_view reducerName(Reducer reducer)
{
    return nameOf(kReducers, reducer);
}
std::optional<ChannelType> channelTypeNamed(std::string_view name)
{
    return named(kChannelTypes, name);
}
std::optional<Reducer> reducerNamed(std::string_view name)
{
    return named(kReducers, name);
}
std::vector<std::string_view> channelTypeNames()
{
    return allNames(kChannelTypes);
}
std::vector<std::string_view> reducerNames()
{
    return allNames(kReducers);
}

bool isReservedName(std::string_view name)
{
    return std::ranges::find(kReserved, name) != kReserved.end() || name.starts_with("__error_handler__");
}

} // namespace sg::graph
