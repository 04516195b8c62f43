#include "core/engine/state/delta_history.h"

#include "core/checkpoint/circle_watch.h"
#include "core/engine/channels/aggregate.h"

#include <algorithm>
#include <vector>

namespace sg::engine {
namespace {

struct History {
    std::int32_t channel;
    const std::string* name;
    std::vector<Value> writes{}; // newest first
    std::optional<Value> seed{};
};

// A checkpoint's writes are sorted in the order in which they were applied.
void collect(History& history, const checkpoint::CheckpointRecord& ancestor)
{
    for (auto write = ancestor.writes.rbegin(); write != ancestor.writes.rend(); ++write)
        if (write->channel == *history.name)
            history.writes.push_back(write->value);
    if (const Value* seed = ancestor.checkpoint.channelValues.find(*history.name))
        history.seed = *seed;
}

} // namespace

std::optional<Failure> replayDeltaChannels(GraphState& state, const checkpoint::CheckpointRecord& record,
                                           checkpoint::CheckpointStore& store)
{
    const CompiledGraph& graph = state.graph();
    std::vector<History> histories;
    for (std::size_t i = 0; i < graph.channels.size(); ++i) {
        const auto index = static_cast<std::int32_t>(i);
        const CompiledChannel& channel = graph.channels[i];
        if ((channel.deltaFrequency || channel.aggregate) && state.version(index).exists()
            && record.checkpoint.channelValues.find(channel.key) == nullptr)
            histories.push_back({ .channel = index, .name = &channel.name() });
    }
    std::optional<CheckpointId> parent = record.parent;
    checkpoint::CircleWatch circle;
    const auto open = [](const History& history) { return !history.seed; };
    while (parent && std::ranges::any_of(histories, open)) {
        auto ancestor = store.get(record.ref.thread, record.ref.ns, parent);
        if (!ancestor)
            return Failure{ "CheckpointError", ancestor.error().message };
        if (!*ancestor)
            break;
        if (circle.closes((**ancestor).ref.id))
            return Failure{ "CheckpointError", checkpoint::circleError(record.ref.thread.value).message };
        for (History& history : histories)
            if (!history.seed)
                collect(history, **ancestor);
        parent = (**ancestor).parent;
    }
    for (History& history : histories) {
        Channel& channel = state.channel(history.channel);
        channel.restore(std::move(history.seed));
        std::ranges::reverse(history.writes);
        if (auto error = replayDelta(channel, history.writes))
            return error;
    }
    return std::nullopt;
}

} // namespace sg::engine
