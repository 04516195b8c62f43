#include "core/workbench/inert_delta.h"

#include "core/checkpoint/serde/inert.h"
#include "core/checkpoint/serde/langgraph_types.h"
#include "core/workbench/inert_state.h"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace sg::workbench {
namespace {

struct Changes {
    std::string channel;
    std::vector<Value> writes; // newest first
    std::optional<Value> seed;
};

// A list of which some items may be messages.
class Growing {
public:
    void reset(const Value& value)
    {
        m_items.clear();
        m_places.clear();
        const auto snapshot = checkpoint::asDeltaSnapshot(value);
        add(snapshot ? *snapshot : value);
    }
    void add(const Value& write)
    {
        if (!write.isList())
            return addItem(write);
        for (const Value& item : write.asList())
            addItem(item);
    }
    [[nodiscard]] Value take() const
    {
        ValueList list;
        for (const std::optional<Value>& item : m_items)
            if (item)
                list.push_back(checkpoint::plainValue(*item));
        return list;
    }

private:
    void addItem(const Value& item)
    {
        const auto message = checkpoint::asMessage(item);
        const std::string id = message ? message->stringOr("id", "") : std::string();
        const bool removes = message && message->stringOr("type", "") == "remove";
        if (removes && id == "__remove_all__") {
            m_items.clear();
            m_places.clear();
            return;
        }
        const auto known = id.empty() ? m_places.end() : m_places.find(id);
        if (known != m_places.end()) {
            m_items[known->second] = removes ? std::optional<Value>() : std::optional(item);
            if (removes)
                m_places.erase(known);
        } else if (!removes) {
            if (!id.empty())
                m_places.emplace(id, m_items.size());
            m_items.emplace_back(item);
        }
    }

    std::vector<std::optional<Value>> m_items; // none: removed
    std::unordered_map<std::string, std::size_t> m_places; // of messages by id
};

std::vector<Changes> changedChannels(const checkpoint::CheckpointRecord& record)
{
    std::vector<Changes> all;
    const Value* counters = record.metadata.extra.find("counters_since_delta_snapshot");
    if (counters != nullptr && counters->isMap())
        for (const auto& [channel, counts] : counters->asMap())
            if (channel.isString() && record.checkpoint.channelValues.find(channel) == nullptr)
                all.push_back({ channel.asString(), {}, {} });
    return all;
}

Value rebuilt(const Changes& changes)
{
    Growing list;
    if (changes.seed)
        list.reset(*changes.seed);
    for (auto write = changes.writes.rbegin(); write != changes.writes.rend(); ++write) {
        if (const auto payload = checkpoint::asOverwrite(*write))
            list.reset(payload->isNull() ? Value(ValueList()) : *payload);
        else
            list.add(*write);
    }
    return list.take();
}

} // namespace

Result<void> addChangedChannels(checkpoint::CheckpointStore& store,
                                const checkpoint::CheckpointRecord& record, ValueMap& values)
{
    std::vector<Changes> all = changedChannels(record);
    std::optional<CheckpointId> parent = record.parent;
    const auto open = [](const Changes& changes) { return !changes.seed; };
    while (parent && std::ranges::any_of(all, open)) {
        auto ancestor = store.get(record.ref.thread, record.ref.ns, parent);
        if (!ancestor)
            return std::move(ancestor.error());
        if (!*ancestor)
            break;
        for (Changes& changes : all) {
            if (changes.seed)
                continue;
            const auto& writes = (**ancestor).writes;
            for (auto write = writes.rbegin(); write != writes.rend(); ++write)
                if (write->channel == changes.channel)
                    changes.writes.push_back(write->value);
            if (const Value* seed = (**ancestor).checkpoint.channelValues.find(changes.channel))
                changes.seed = *seed;
        }
        parent = (**ancestor).parent;
    }
    for (const Changes& changes : all)
        values.set(changes.channel, rebuilt(changes));
    return {};
}

Result<Value> storedValues(checkpoint::CheckpointStore& store, const checkpoint::CheckpointRecord& record)
{
    ValueMap values;
    for (const auto& [channel, value] : record.checkpoint.channelValues)
        if (channel.isString() && isStateChannel(channel.asString()))
            values.set(channel, value);
    if (auto added = addChangedChannels(store, record, values); !added)
        return std::move(added.error());
    return Value(std::move(values));
}

} // namespace sg::workbench
