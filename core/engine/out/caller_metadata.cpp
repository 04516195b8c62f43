#include "core/engine/out/run_context.h"

#include <algorithm>

namespace sg::engine {
namespace {

constexpr std::array<std::string_view, 9> kExcluded{
    "thread_id",      "checkpoint_id",      "checkpoint_ns",  "checkpoint_map",          "langgraph_step",
    "langgraph_node", "langgraph_triggers", "langgraph_path", "langgraph_checkpoint_ns",
};

Value withoutNuls(const Value& text)
{
    std::string out = text.asString();
    std::erase(out, '\0');
    return Value(std::move(out));
}

} // namespace

ValueMap callerMetadata(const RunOptions& options)
{
    ValueMap out;
    for (const ValueMap* source : { &options.metadata, &options.configurable }) {
        for (const auto& [key, value] : *source) {
            if (!key.isString() || out.contains(key.asString()) || key.asString().starts_with("__")
                || std::ranges::find(kExcluded, key.asString()) != kExcluded.end())
                continue;
            if (value.isString())
                out.set(key, withoutNuls(value));
            else if (value.isNumber() || value.isBool())
                out.set(key, value);
        }
    }
    return out;
}

} // namespace sg::engine
