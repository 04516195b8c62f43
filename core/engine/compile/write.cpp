#include "core/engine/compile/write.h"

#include "core/engine/compile/compiled_graph.h"

#include <algorithm>
#include <array>
#include <utility>

namespace sg::engine {
namespace {

constexpr std::array<std::pair<std::int32_t, const char*>, 7> kSpecial{ {
    { kErrorWrite, kErrorName },
    { kErrorSourceWrite, kErrorSourceName },
    { kInterruptWrite, kInterruptName },
    { kResumeWrite, kResumeName },
    { kNoWritesWrite, kNoWritesName },
    { kReturnWrite, "__return__" },
    { kScheduledWrite, "__scheduled__" },
} };

} // namespace

std::string writeChannelName(const CompiledGraph& graph, const Write& write)
{
    if (write.channel >= 0)
        return graph.channel(write.channel).name();
    for (const auto& [channel, name] : kSpecial)
        if (channel == write.channel)
            return name;
    return write.name.isString() ? write.name.asString() : std::string();
}

Value writeChannelKey(const CompiledGraph& graph, const Write& write)
{
    if (write.channel >= 0)
        return graph.channel(write.channel).key;
    return Value(writeChannelName(graph, write));
}

Write namedWrite(const CompiledGraph& graph, std::string_view channel, Value value)
{
    if (const auto index = graph.findChannel(channel))
        return { *index, std::move(value), {} };
    for (const auto& [special, name] : kSpecial)
        if (channel == name)
            return { special, std::move(value), {} };
    return { kUnknownChannel, std::move(value), Value(channel) };
}

bool allControl(const Writes& writes)
{
    return std::ranges::all_of(writes, isControl);
}

bool allFixedPlace(const Writes& writes)
{
    return std::ranges::all_of(writes, hasFixedPlace);
}

Writes deduplicated(const Writes& writes)
{
    Writes out;
    for (const Write& write : writes) {
        const auto same = std::ranges::find(out, write.channel, &Write::channel);
        if (same == out.end())
            out.push_back(write);
        else
            *same = write;
    }
    return out;
}

} // namespace sg::engine
