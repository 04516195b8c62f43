#include "core/engine/state/graph_state.h"

#include "core/base/msgpack.h"
#include "core/engine/channels/aggregate.h"

#include <algorithm>

namespace sg::engine {
namespace {

void appendEntry(std::string& out, const Value& name, const Version& version)
{
    appendMsgpack(out, name);
    if (version.text.isNull())
        appendMsgpack(out, Value(version.number));
    else
        appendMsgpack(out, version.text);
}

} // namespace

GraphState::GraphState(const CompiledGraph& graph, Random& random)
    : m_graph(&graph)
    , m_versions(graph.channels.size())
    , m_seen(graph.nodes.size())
{
    m_channels.reserve(graph.channels.size());
    for (const CompiledChannel& channel : graph.channels)
        m_channels.push_back(channel.fresh ? channel.fresh->clone() : channel.make(random));
    std::size_t triggers = 0;
    for (const CompiledNode& node : graph.nodes)
        triggers += node.triggers.size();
    m_seenVersions.resize(triggers);
    Version* next = m_seenVersions.data();
    for (std::size_t i = 0; i < m_seen.size(); ++i) {
        m_seen[i].byTrigger = { next, graph.nodes[i].triggers.size() };
        next += graph.nodes[i].triggers.size();
    }
}

void GraphState::load(const checkpoint::Checkpoint& checkpoint)
{
    for (const auto& [key, stored] : checkpoint.channelVersions) {
        const Version version = readVersion(stored);
        m_newest = std::max(m_newest, version.number);
        const auto index = key.isString() ? m_graph->findChannel(key.asString()) : std::nullopt;
        if (index)
            m_versions[static_cast<std::size_t>(*index)] = version;
        else
            m_otherVersions.set(key, stored);
    }
    for (std::size_t i = 0; i < m_channels.size(); ++i) {
        const Value* value = checkpoint.channelValues.find(m_graph->channels[i].key);
        m_channels[i]->restore(value == nullptr ? std::nullopt : std::optional(*value));
    }
    loadVersionsSeen(checkpoint.versionsSeen);
}

void GraphState::loadVersionsSeen(const ValueMap& seenMap)
{
    m_otherSeen = {};
    for (const auto& [name, entries] : seenMap) {
        if (!name.isString() || !entries.isMap())
            continue;
        if (name.asString() == kInterruptName) {
            m_interruptSeen = true;
            m_seenByInterrupt.resize(m_versions.size());
        }
        m_inputSeen = m_inputSeen || name.asString() == kInputName;
        const auto node = m_graph->findNode(name.asString());
        if (node)
            seen(*node).present = true;
        for (const auto& [key, stored] : entries.asMap()) {
            const auto channel = key.isString() ? m_graph->findChannel(key.asString()) : std::nullopt;
            if (channel && name.asString() == kInterruptName) {
                m_seenByInterrupt[static_cast<std::size_t>(*channel)] = readVersion(stored);
                continue;
            }
            if (channel && node) {
                const auto& triggers = m_graph->node(*node).triggers;
                if (const auto place = std::ranges::find(triggers, *channel); place != triggers.end()) {
                    seen(*node).byTrigger[static_cast<std::size_t>(place - triggers.begin())] =
                        readVersion(stored);
                    continue;
                }
            }
            Value& other = m_otherSeen.at(name);
            if (!other.isMap())
                other = Value(ValueMap());
            other.editMap().set(key, stored);
        }
        if (!node && name.asString() != kInterruptName && name.asString() != kInputName
            && !m_otherSeen.contains(name.asString()))
            m_otherSeen.set(name, Value(ValueMap()));
    }
}

void GraphState::setVersion(std::int32_t channel, const Version& version)
{
    m_versions[static_cast<std::size_t>(channel)] = version;
    m_newest = std::max(m_newest, version.number);
}

void GraphState::markAllSeenByInterrupt()
{
    m_interruptSeen = true;
    m_seenByInterrupt.resize(m_versions.size());
    for (std::size_t i = 0; i < m_versions.size(); ++i)
        if (m_versions[i].exists())
            m_seenByInterrupt[i] = m_versions[i];
}

bool GraphState::changedSinceInterrupt() const
{
    if (!m_otherVersions.empty())
        return true; // these are never marked as seen
    for (std::size_t i = 0; i < m_versions.size(); ++i)
        if (m_versions[i].number > (m_interruptSeen ? m_seenByInterrupt[i].number : 0))
            return true;
    return false;
}

Value GraphState::values(const std::vector<std::int32_t>& channels) const
{
    ValueMap out;
    out.reserve(channels.size());
    for (const std::int32_t index : channels)
        if (const Channel& source = channel(index); source.available())
            out.set(m_graph->channel(index).key, source.get());
    return Value(std::move(out));
}

ValueMap GraphState::channelVersions() const
{
    ValueMap out = m_otherVersions;
    for (std::size_t i = 0; i < m_versions.size(); ++i)
        if (m_versions[i].exists())
            out.set(m_graph->channels[i].key, m_versions[i].stored());
    return out;
}

ValueMap GraphState::versionsSeen() const
{
    ValueMap out = m_otherSeen;
    const auto entry = [&out](const Value& name) -> ValueMap& {
        Value& value = out.at(name);
        if (!value.isMap())
            value = Value(ValueMap());
        return value.editMap();
    };
    if (m_inputSeen)
        entry(Value(kInputName));
    for (std::size_t i = 0; i < m_seen.size(); ++i) {
        if (!m_seen[i].present)
            continue;
        const CompiledNode& node = m_graph->nodes[i];
        ValueMap& versions = entry(node.key);
        for (std::size_t k = 0; k < node.triggers.size(); ++k)
            if (m_seen[i].byTrigger[k].exists())
                versions.set(m_graph->channel(node.triggers[k]).key, m_seen[i].byTrigger[k].stored());
    }
    if (m_interruptSeen) {
        ValueMap& versions = entry(Value(kInterruptName));
        for (std::size_t i = 0; i < m_seenByInterrupt.size(); ++i)
            if (m_seenByInterrupt[i].exists())
                versions.set(m_graph->channels[i].key, m_seenByInterrupt[i].stored());
    }
    return out;
}

ValueMap GraphState::channelValues(const std::vector<std::int32_t>& deltas) const
{
    std::vector<ValueMap::Entry> entries;
    channelValues(deltas, entries);
    ValueMap out;
    out.reserve(entries.size());
    for (auto& [name, value] : entries)
        out.add(std::move(name), std::move(value));
    return out;
}

void GraphState::channelValues(const std::vector<std::int32_t>& deltas,
                               std::vector<ValueMap::Entry>& out) const
{
    out.clear();
    for (std::size_t i = 0; i < m_channels.size(); ++i) {
        const auto index = static_cast<std::int32_t>(i);
        if (!m_versions[i].exists())
            continue;
        if (std::ranges::find(deltas, index) != deltas.end())
            out.emplace_back(m_graph->channels[i].key, makeDeltaSnapshot(m_channels[i]->get()));
        else if (auto value = m_channels[i]->checkpoint())
            out.emplace_back(m_graph->channels[i].key, *std::move(value));
    }
}

void GraphState::appendChannelVersions(std::string& out) const
{
    const auto known = std::ranges::count_if(m_versions, &Version::exists);
    appendMsgpackMapHead(out, m_otherVersions.size() + static_cast<std::size_t>(known));
    for (const auto& [name, version] : m_otherVersions) {
        appendMsgpack(out, name);
        appendMsgpack(out, version);
    }
    for (std::size_t i = 0; i < m_versions.size(); ++i)
        if (m_versions[i].exists())
            appendEntry(out, m_graph->channels[i].key, m_versions[i]);
}

void GraphState::appendVersionsSeen(std::string& out) const
{
    if (!m_otherSeen.empty()) { // some are of nodes that this graph lacks, sorted between ours
        appendMsgpack(out, Value(versionsSeen()));
        return;
    }
    const auto nodes = std::ranges::count_if(m_seen, &SeenVersions::present);
    appendMsgpackMapHead(out,
                         static_cast<std::size_t>(nodes) + (m_inputSeen ? 1 : 0) + (m_interruptSeen ? 1 : 0));
    if (m_inputSeen) {
        appendMsgpackText(out, kInputName);
        appendMsgpackMapHead(out, 0);
    }
    for (std::size_t i = 0; i < m_seen.size(); ++i) {
        if (!m_seen[i].present)
            continue;
        const CompiledNode& node = m_graph->nodes[i];
        appendMsgpack(out, node.key);
        appendMsgpackMapHead(
            out, static_cast<std::size_t>(std::ranges::count_if(m_seen[i].byTrigger, &Version::exists)));
        for (std::size_t k = 0; k < node.triggers.size(); ++k)
            if (m_seen[i].byTrigger[k].exists())
                appendEntry(out, m_graph->channel(node.triggers[k]).key, m_seen[i].byTrigger[k]);
    }
    if (!m_interruptSeen)
        return;
    appendMsgpackText(out, kInterruptName);
    appendMsgpackMapHead(
        out, static_cast<std::size_t>(std::ranges::count_if(m_seenByInterrupt, &Version::exists)));
    for (std::size_t i = 0; i < m_seenByInterrupt.size(); ++i)
        if (m_seenByInterrupt[i].exists())
            appendEntry(out, m_graph->channels[i].key, m_seenByInterrupt[i]);
}

} // namespace sg::engine
