#include "core/graph/checks/checks.h"
#include "core/graph/near_name.h"

#include <array>

namespace sg::graph {

namespace {

constexpr std::size_t kLongestName = 256;
constexpr int kLargestFrequency = 1'000'000;

const char* wantedDefault(Reducer reducer)
{
    switch (reducer) {
    case Reducer::Add: return "a number, string or list";
    case Reducer::Append:
    case Reducer::Union:
    case Reducer::AddMessages: return "a list";
    case Reducer::Concat: return "a string";
    case Reducer::Max:
    case Reducer::Min: return "a number or string";
    case Reducer::Mul: return "a number";
    case Reducer::Merge: return "an object";
    case Reducer::Last: break;
    }
    return "any value";
}

bool suits(Reducer reducer, const Value& value)
{
    switch (reducer) {
    case Reducer::Add: return value.isNumber() || value.isString() || value.isList();
    case Reducer::Append:
    case Reducer::Union:
    case Reducer::AddMessages: return value.isList();
    case Reducer::Concat: return value.isString();
    case Reducer::Max:
    case Reducer::Min: return value.isNumber() || value.isString();
    case Reducer::Mul: return value.isNumber();
    case Reducer::Merge: return value.isMap();
    case Reducer::Last: break;
    }
    return true;
}

// Reports keys that the channel's type does not read.
void checkUse(const GraphScope& scope, const Channel& channel, const Place& place)
{
    struct Use {
        const char* key;
        bool isRead;
        const char* readers;
    };
    const bool isReduce = channel.type == ChannelType::Reduce;
    const bool isGuarded = channel.type == ChannelType::Ephemeral || channel.type == ChannelType::Untracked;
    const std::array uses{
        Use{ "reducer", isReduce, "reduce" },
        Use{ "default", isReduce, "reduce" },
        Use{ "accumulate", channel.type == ChannelType::Topic, "topic" },
        Use{ "guard", isGuarded, "ephemeral and untracked" },
        Use{ "snapshot_frequency",
             channel.type == ChannelType::Delta || channel.storage == ChannelStorage::Delta,
             "delta, or with \"storage\": \"delta\"," },
    };
    for (const Use& use : uses)
        if (!use.isRead && channel.source.contains(use.key))
            scope.warning(Place(place, use.key), "unused-key",
                          "\"" + std::string(use.key) + "\" has no effect here: only channels of type "
                              + use.readers + " read it");
}

void checkChannel(const GraphScope& scope, const Channel& channel, const Place& place)
{
    if (const std::string fault = nameFault(channel.name); !fault.empty())
        scope.error(place, "bad-name", "the channel name '" + channel.name + "' " + fault);
    const bool hasReducer = channel.source.contains("reducer") || channel.reducer != Reducer::Last;
    if (channel.type == ChannelType::Reduce && channel.source.contains("type") && !hasReducer)
        scope.error(place, "bad-reducer", "a reduce channel needs a \"reducer\": add, append, …");
    const bool meetsZero = channel.reducer == Reducer::Min || channel.reducer == Reducer::Mul;
    if (channel.type == ChannelType::Reduce && !channel.hasDefault && meetsZero)
        scope.warning(place, "starts-at-zero",
                      "the channel starts at 0, as in LangGraph, so that 0 takes part in every "
                          + std::string(channel.reducer == Reducer::Min ? "minimum" : "product")
                          + ". Give it a \"default\": null starts it with the first write");
    if (channel.type == ChannelType::Reduce && channel.hasDefault && !channel.defaultValue.isNull()
        && !suits(channel.reducer, channel.defaultValue))
        scope.error(Place(place, "default"), "bad-default",
                    "the default of a channel with reducer '" + std::string(reducerName(channel.reducer))
                        + "' is " + wantedDefault(channel.reducer) + ", or null for none");
    if (channel.snapshotFrequency < 1 || channel.snapshotFrequency > kLargestFrequency)
        scope.error(Place(place, "snapshot_frequency"), "bad-number",
                    "\"snapshot_frequency\" is from 1 to 1000000");
    if (channel.storage == ChannelStorage::Delta && !maySaveChanges(channel))
        scope.error(Place(place, "storage"), "bad-storage",
                    "only lists that grow can be stored as changes: channels with reducer append or "
                    "add_messages");
    checkUse(scope, channel, place);
}

bool hasControlCharacter(std::string_view text)
{
    for (const char c : text)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
            return true;
    return false;
}

} // namespace

std::string nameFault(std::string_view name)
{
    if (name.empty())
        return "is empty";
    if (name.size() > kLongestName)
        return "is longer than 256 bytes";
    if (isReservedName(name))
        return "is reserved for the engine; choose another";
    if (name.find_first_of("|:") != std::string_view::npos)
        return "holds '|' or ':', which separate parts of checkpoint names; leave them out";
    if (hasControlCharacter(name))
        return "holds a control character";
    return {};
}

void checkChannels(const GraphScope& scope)
{
    const Place state(scope.place, "state");
    for (const Channel& channel : scope.graph.channels)
        checkChannel(scope, channel, Place(state, channel.name));
    const ValidationHost& host = scope.checking.host;
    if (scope.graph.channels.empty() && !scope.graph.nodes.empty() && !host.folder.empty()
        && !host.forEditing)
        scope.hint(state, "empty-state",
                   "the state has no channels, so what nodes return is dropped; name them, such as "
                   "\"state\": {\"value\": {\"type\": \"last_value\"}}");
    checkChannelNames(scope, scope.graph.input, Place(scope.place, "input"));
    checkChannelNames(scope, scope.graph.output, Place(scope.place, "output"));
    if (!scope.graph.inputExample.isMap())
        return;
    for (const auto& [channel, value] : scope.graph.inputExample.asMap())
        if (!scope.channels.contains(channel.asString()))
            scope.error(Place(Place(scope.place, "input_example"), channel.asString()), "unknown-channel",
                        "'" + channel.asString() + "' is no channel of the state");
}

void checkChannelNames(const GraphScope& scope, const std::optional<std::vector<std::string>>& names,
                       const Place& place)
{
    if (!names)
        return;
    std::unordered_set<std::string_view> seen;
    for (std::size_t i = 0; i < names->size(); ++i) {
        const std::string& name = (*names)[i];
        if (!scope.channels.contains(name))
            scope.error(Place(place, i), "unknown-channel",
                        "the state has no channel '" + name + "'" + didYouMean(name, scope.channelNames));
        else if (!seen.insert(name).second)
            scope.warning(Place(place, i), "duplicate-name", "the channel '" + name + "' is named twice");
    }
}

} // namespace sg::graph
