#include "core/engine/state/migrate.h"

#include "core/engine/names.h"
#include "core/engine/state/versions.h"

#include <algorithm>
#include <vector>

namespace sg::engine {
namespace {

using checkpoint::Checkpoint;

const Value& newer(const Value& a, const Value& b)
{
    return readVersion(a).number >= readVersion(b).number ? a : b;
}

std::vector<std::string> keysOf(const ValueMap& map)
{
    std::vector<std::string> keys;
    for (const auto& entry : map)
        if (entry.first.isString())
            keys.push_back(entry.first.asString());
    return keys;
}

// Renames `from` to `to` in what the node and the interrupts have seen.
void renameSeen(Checkpoint& checkpoint, const std::string& node, const std::string& from,
                const std::string& to)
{
    for (const std::string& name : { node, std::string(kInterruptName) }) {
        if (!checkpoint.versionsSeen.contains(name))
            continue;
        Value& entry = checkpoint.versionsSeen.at(Value(name));
        const Value* had = entry.find(from);
        if (had == nullptr)
            continue;
        const Value version = *had;
        ValueMap& seen = entry.editMap();
        seen.erase(Value(from));
        const Value* other = seen.find(to);
        seen.set(Value(to), other == nullptr ? version : newer(version, *other));
    }
}

void renameChannel(Checkpoint& checkpoint, const std::string& node, const std::string& from)
{
    const std::string to = "branch:to:" + node;
    Value version = *checkpoint.channelVersions.find(from);
    checkpoint.channelVersions.erase(Value(from));
    if (const Value* other = checkpoint.channelVersions.find(to))
        version = newer(*other, version);
    renameSeen(checkpoint, node, from, to);
    if (const Value* value = checkpoint.channelValues.find(from);
        value != nullptr && !checkpoint.channelValues.contains(to)) {
        const Value moved = *value;
        checkpoint.channelValues.erase(Value(from));
        checkpoint.channelValues.set(Value(to), moved);
    }
    checkpoint.channelVersions.set(Value(to), version);
}

// In old files a channel named like a node triggered the targets of the node's edges.
void splitNodeChannel(Checkpoint& checkpoint, const CompiledGraph& graph, const std::string& node)
{
    const Value version = *checkpoint.channelVersions.find(node);
    checkpoint.channelVersions.erase(Value(node));
    std::optional<Value> value;
    if (const Value* stored = checkpoint.channelValues.find(node)) {
        value = *stored;
        checkpoint.channelValues.erase(Value(node));
    }
    for (const auto& [from, target] : graph.plainEdges) {
        if (from != node)
            continue;
        const std::string to = "branch:to:" + target;
        const Value* other = checkpoint.channelVersions.find(to);
        const Value newest = other == nullptr ? version : newer(*other, version);
        renameSeen(checkpoint, target, node, to);
        if (value && !checkpoint.channelValues.contains(to))
            checkpoint.channelValues.set(Value(to), *value);
        checkpoint.channelVersions.set(Value(to), newest);
    }
    if (checkpoint.versionsSeen.contains(kInterruptName))
        if (Value& seen = checkpoint.versionsSeen.at(Value(kInterruptName)); seen.isMap())
            seen.editMap().erase(Value(node));
}

void movePendingSends(Checkpoint& checkpoint)
{
    const Value* sends = checkpoint.unknown.find("pending_sends");
    if (checkpoint.version >= 4 || sends == nullptr || !sends->isList() || sends->asList().empty())
        return;
    Value newest;
    for (const auto& [channel, version] : checkpoint.channelVersions)
        newest = newest.isNull() ? version : newer(newest, version);
    checkpoint.channelValues.set(kTasksName, *sends);
    checkpoint.channelVersions.set(kTasksName, newest);
    checkpoint.unknown.erase(Value("pending_sends"));
}

} // namespace

void migrateCheckpoint(Checkpoint& checkpoint, const CompiledGraph& graph)
{
    movePendingSends(checkpoint);
    if (checkpoint.channelVersions.empty() || checkpoint.version >= 3)
        return;
    const auto isNode = [&graph](const std::string& name) { return graph.findNode(name).has_value(); };
    for (const std::string& channel : keysOf(checkpoint.channelVersions))
        if (channel.starts_with("start:")) {
            const std::string rest = channel.substr(6);
            if (const std::string node = rest.substr(0, rest.find(':')); isNode(node))
                renameChannel(checkpoint, node, channel);
        }
    for (const std::string& channel : keysOf(checkpoint.channelVersions))
        if (channel.starts_with("branch:") && std::ranges::count(channel, ':') == 3)
            if (const std::string node = channel.substr(channel.rfind(':') + 1); isNode(node))
                renameChannel(checkpoint, node, channel);
    for (const std::string& channel : keysOf(checkpoint.channelVersions))
        if (channel != kStartNode && isNode(channel))
            splitNodeChannel(checkpoint, graph, channel);
}

} // namespace sg::engine
