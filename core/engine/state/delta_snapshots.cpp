#include "core/engine/state/delta_snapshots.h"

#include <algorithm>

namespace sg::engine {
namespace {

std::int64_t counter(const ValueMap& counters, const Value& channel, std::size_t place)
{
    const Value* entry = counters.find(channel);
    return entry != nullptr && (*entry)[place].isInt() ? (*entry)[place].asInt() : 0;
}

struct Bump {
    Value channel;
    std::optional<Value> before;
    Value after;
};

Value advancedKey(const Value& node, const Value& channel)
{
    return Value(node.asString() + '|' + channel.asString());
}

Value readKey(const Value& node, const Value& channel)
{
    return Value(node.asString() + ':' + channel.asString());
}

void markSeen(ValueMap& seen, const std::vector<Bump>& bumps)
{
    const Value* oldMarks = seen.find(kSnapshotBumps);
    ValueMap marks = oldMarks != nullptr && oldMarks->isMap() ? oldMarks->asMap() : ValueMap();
    ValueMap out;
    for (const auto& [node, entries] : seen) {
        if (node == Value(kSnapshotBumps) || !entries.isMap()) {
            out.set(node, entries);
            continue;
        }
        ValueMap versions = entries.asMap();
        for (const Bump& bump : bumps) {
            const Value* had = entries.asMap().find(bump.channel);
            if (bump.before ? had == nullptr || *had != *bump.before : had != nullptr)
                continue;
            const Value advanced = advancedKey(node, bump.channel);
            const Value* mark = marks.find(advanced);
            // If an earlier bump set the old version, the version that was really read is already on record.
            if (bump.before && (mark == nullptr || *mark != *bump.before))
                marks.set(readKey(node, bump.channel), *bump.before);
            marks.set(advanced, bump.after);
            versions.set(bump.channel, bump.after);
        }
        out.set(node, Value(std::move(versions)));
    }
    if (!marks.empty())
        out.set(kSnapshotBumps, Value(std::move(marks)));
    seen = std::move(out);
}

} // namespace

std::vector<std::int32_t> deltasToSnapshot(const GraphState& state, const ValueMap& counters)
{
    std::vector<std::int32_t> out;
    for (const std::int32_t delta : state.graph().deltas) {
        const CompiledChannel& channel = state.graph().channel(delta);
        if (!state.version(delta).exists())
            continue;
        if (counter(counters, channel.key, 0) >= *channel.deltaFrequency
            || counter(counters, channel.key, 1) >= kMostStepsWithoutSnapshot)
            out.push_back(delta);
    }
    return out;
}

void resetCounters(const CompiledGraph& graph, ValueMap& counters, const std::vector<std::int32_t>& snapshots)
{
    for (const std::int32_t snapshot : snapshots)
        counters.erase(graph.channel(snapshot).key);
    std::vector<Value> zero;
    for (const auto& [channel, entry] : counters)
        if (counter(counters, channel, 0) == 0 && counter(counters, channel, 1) == 0)
            zero.push_back(channel);
    for (const Value& channel : zero)
        counters.erase(channel);
}

void bumpSnapshotVersions(GraphState& state, const std::vector<std::int32_t>& snapshots,
                          const std::vector<Version>& stored, const VersionSource& versions)
{
    const auto& deltas = state.graph().deltas;
    std::vector<Bump> bumps;
    for (const std::int32_t snapshot : snapshots) {
        const auto place = static_cast<std::size_t>(std::ranges::find(deltas, snapshot) - deltas.begin());
        const Version before = state.version(snapshot);
        if (before.exists() && before.number != stored[place].number)
            continue;
        const Version after = versions.after(before.number);
        state.setVersion(snapshot, after);
        bumps.push_back({ state.graph().channel(snapshot).key,
                          before.exists() ? std::optional(before.stored()) : std::nullopt, after.stored() });
    }
    if (bumps.empty())
        return;
    ValueMap seen = state.versionsSeen();
    markSeen(seen, bumps);
    state.loadVersionsSeen(seen);
}

ValueMap seenWithoutBumps(const ValueMap& versionsSeen)
{
    const Value* marks = versionsSeen.find(kSnapshotBumps);
    if (marks == nullptr || !marks->isMap())
        return versionsSeen;
    ValueMap out;
    for (const auto& [node, entries] : versionsSeen) {
        if (node == Value(kSnapshotBumps) || !entries.isMap())
            continue;
        ValueMap versions;
        for (const auto& [channel, version] : entries.asMap()) {
            const Value* mark = marks->asMap().find(advancedKey(node, channel));
            const Value* read = marks->asMap().find(readKey(node, channel));
            if (mark == nullptr || *mark != version)
                versions.set(channel, version);
            else if (read != nullptr)
                versions.set(channel, *read);
        }
        out.set(node, Value(std::move(versions)));
    }
    return out;
}

} // namespace sg::engine
