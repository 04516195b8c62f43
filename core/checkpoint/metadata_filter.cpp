#include "core/checkpoint/metadata_filter.h"

#include "core/base/json.h"

#include <algorithm>
#include <string_view>

namespace sg::checkpoint {

namespace {

bool isFilterKey(std::string_view key)
{
    const auto isAllowed = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'
            || c == '.' || c == '-';
    };
    return !key.empty() && std::ranges::all_of(key, isAllowed);
}

Value extract(const CheckpointMetadata& metadata, std::string_view key)
{
    const std::string_view first = key.substr(0, key.find('.'));
    Value found;
    if (first == "source")
        found = metadata.source.text();
    else if (first == "step")
        found = metadata.step;
    else if (first == "parents")
        found = Value(metadata.parents);
    else if (const Value* extra = metadata.extra.find(first))
        found = *extra;
    key.remove_prefix(first.size());
    while (!key.empty()) {
        key.remove_prefix(1); // the '.'
        const std::string_view name = key.substr(0, key.find('.'));
        const Value inner = found[name];
        found = inner;
        key.remove_prefix(name.size());
    }
    return found;
}

// Returns what SQLite compares: a number or a text.
Value sqlValue(const Value& value)
{
    if (value.isBool())
        return Value(value.asBool() ? 1.0 : 0.0);
    if (value.isNumber())
        return Value(value.asDouble());
    return value.isString() ? value : Value(toJson(value));
}

} // namespace

Result<void> checkFilterKeys(const MetadataFilter& filter)
{
    for (const auto& [key, value] : filter) {
        if (!isFilterKey(key))
            return Error{
                Errc::InvalidArgument,
                "Invalid filter key: '" + key
                    + "'. Filter keys must contain only alphanumeric characters, underscores, dots, "
                      "and hyphens."
            };
    }
    return {};
}

bool matchesMetadata(const MetadataFilter& filter, const CheckpointMetadata& metadata)
{
    return std::ranges::all_of(filter, [&](const auto& entry) {
        const Value found = extract(metadata, entry.first);
        if (found.isNull() || entry.second.isNull())
            return found.isNull() && entry.second.isNull();
        return sqlValue(found) == sqlValue(entry.second);
    });
}

} // namespace sg::checkpoint
