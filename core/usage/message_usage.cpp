#include "core/usage/message_usage.h"

#include "core/checkpoint/serde/inert.h"

#include <algorithm>
#include <initializer_list>
#include <optional>

namespace sg::usage {
namespace {

constexpr int kDeepest = 12; // messages are near the top

std::optional<std::int64_t> firstOf(const Value& map, std::initializer_list<const char*> names)
{
    for (const char* name : names)
        if (const Value* found = map.find(name); found != nullptr && found->isInt())
            return std::max<std::int64_t>(found->asInt(), 0);
    return std::nullopt;
}

// Finds "usage_metadata", or what providers have instead in "response_metadata".
const Value* usageOf(const Value& message)
{
    if (const Value* usage = message.find("usage_metadata"); usage != nullptr && usage->isMap())
        return usage;
    const Value* response = message.find("response_metadata");
    if (response == nullptr || !response->isMap())
        return nullptr;
    for (const char* name : { "token_usage", "usage" })
        if (const Value* usage = response->find(name); usage != nullptr && usage->isMap())
            return usage;
    return nullptr;
}

// The parts of the input: LangChain's, or OpenAI's own.
const Value& detailsOf(const Value& usage)
{
    const Value& known = usage["input_token_details"];
    return known.isMap() ? known : usage["prompt_tokens_details"];
}

std::string modelOf(const Value& message)
{
    const Value* response = message.find("response_metadata");
    if (response == nullptr || !response->isMap())
        return {};
    for (const char* name : { "model_name", "model", "model_id" })
        if (std::string model = response->stringOr(name, ""); !model.empty())
            return model;
    return {};
}

void look(const Value& value, int depth, std::vector<ModelCall>& calls)
{
    if (depth > kDeepest)
        return;
    if (value.isList()) {
        for (const Value& each : value.asList())
            look(each, depth + 1, calls);
        return;
    }
    if (!value.isMap())
        return;
    if (const Value* usage = usageOf(value)) {
        const auto input = firstOf(*usage, { "input_tokens", "prompt_tokens" });
        const auto output = firstOf(*usage, { "output_tokens", "completion_tokens" });
        if (input || output) {
            const Value& details = detailsOf(*usage);
            calls.push_back(
                { value.stringOr("id", ""), modelOf(value), input.value_or(0), output.value_or(0),
                  firstOf(details,
                          { "cache_read", "cached_tokens", "priority_cache_read", "flex_cache_read" })
                      .value_or(firstOf(*usage, { "cache_read_input_tokens" }).value_or(0)),
                  firstOf(details, { "cache_creation", "cache_write_tokens" })
                      .value_or(firstOf(*usage, { "cache_creation_input_tokens" }).value_or(0)) });
            return;
        }
    }
    for (const auto& [key, each] : value.asMap())
        look(each, depth + 1, calls);
}

} // namespace

std::vector<ModelCall> callsIn(const Value& value)
{
    std::vector<ModelCall> calls;
    look(checkpoint::plainValue(value), 0, calls);
    return calls;
}

} // namespace sg::usage
