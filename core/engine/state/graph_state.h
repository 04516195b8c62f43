#pragma once

#include "core/base/clock.h"
#include "core/base/ids.h"
#include "core/checkpoint/checkpoint.h"
#include "core/engine/channels/channel.h"
#include "core/engine/compile/compiled_graph.h"
#include "core/engine/state/versions.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sg::engine {

// A set of channels that keeps the order in which they were added.
class ChannelSet {
public:
    explicit ChannelSet(std::size_t channels = 0)
        : m_marks(channels, 0)
    {
    }
    bool add(std::int32_t channel)
    {
        auto& mark = m_marks[static_cast<std::size_t>(channel)];
        if (mark != 0)
            return false;
        mark = 1;
        m_items.push_back(channel);
        return true;
    }
    [[nodiscard]] bool contains(std::int32_t channel) const
    {
        return m_marks[static_cast<std::size_t>(channel)] != 0;
    }
    [[nodiscard]] const std::vector<std::int32_t>& items() const { return m_items; }
    [[nodiscard]] bool empty() const { return m_items.empty(); }
    void clear()
    {
        for (const std::int32_t item : m_items)
            m_marks[static_cast<std::size_t>(item)] = 0;
        m_items.clear();
    }

private:
    std::vector<std::uint8_t> m_marks;
    std::vector<std::int32_t> m_items;
};

// The versions that one node has seen, by trigger.
struct SeenVersions {
    bool present = false;
    std::span<Version> byTrigger;
};

// GraphState is a checkpoint in memory: channel values and versions by index. It has one owner.
class GraphState {
public:
    GraphState(const CompiledGraph& graph, Random& random);
    // Loads a migrated checkpoint. Channels stored as changes are left empty (see delta_history.h).
    void load(const checkpoint::Checkpoint& checkpoint);

    [[nodiscard]] const CompiledGraph& graph() const { return *m_graph; }
    [[nodiscard]] Channel& channel(std::int32_t index) const
    {
        return *m_channels[static_cast<std::size_t>(index)];
    }
    [[nodiscard]] Version& version(std::int32_t index) { return m_versions[static_cast<std::size_t>(index)]; }
    [[nodiscard]] const Version& version(std::int32_t index) const
    {
        return m_versions[static_cast<std::size_t>(index)];
    }
    [[nodiscard]] SeenVersions& seen(std::int32_t node) { return m_seen[static_cast<std::size_t>(node)]; }
    [[nodiscard]] const SeenVersions& seen(std::int32_t node) const
    {
        return m_seen[static_cast<std::size_t>(node)];
    }
    [[nodiscard]] bool hasVersions() const { return m_newest != 0; }
    [[nodiscard]] std::int64_t newestVersion() const { return m_newest; }
    void setVersion(std::int32_t channel, const Version& version);
    void markInputSeen() { m_inputSeen = true; }
    void markAllSeenByInterrupt();
    // Tells whether a channel has changed since the last interrupt.
    [[nodiscard]] bool changedSinceInterrupt() const;

    // Returns the values of those of `channels` that are available, by name.
    [[nodiscard]] Value values(const std::vector<std::int32_t>& channels) const;

    [[nodiscard]] ValueMap channelVersions() const;
    [[nodiscard]] ValueMap versionsSeen() const;
    void loadVersionsSeen(const ValueMap& seen);
    // Returns the channel values that a stored checkpoint holds; channels of `deltas` are in it as snapshots.
    [[nodiscard]] ValueMap channelValues(const std::vector<std::int32_t>& deltas) const;

    // The next three make the same for a checkpoint that is stored as bytes: in `out`, whose memory is used
    // again, or appended to it as MessagePack.
    void channelValues(const std::vector<std::int32_t>& deltas, std::vector<ValueMap::Entry>& out) const;
    void appendChannelVersions(std::string& out) const;
    void appendVersionsSeen(std::string& out) const;

private:
    const CompiledGraph* m_graph;
    std::vector<std::unique_ptr<Channel>> m_channels;
    std::vector<Version> m_versions;
    std::vector<SeenVersions> m_seen;
    std::vector<Version> m_seenVersions; // of all nodes; m_seen refers to it
    bool m_interruptSeen = false;
    std::vector<Version> m_seenByInterrupt;
    bool m_inputSeen = false;
    std::int64_t m_newest = 0;
    // These keep what the file holds about nodes and channels that this graph lacks.
    ValueMap m_otherVersions;
    ValueMap m_otherSeen; // node → map channel → version; m_seen has this graph's nodes
};

} // namespace sg::engine
