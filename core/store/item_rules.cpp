#include "core/store/item_rules.h"

#include "core/base/json.h"
#include "core/base/utf8.h"

#include <algorithm>

namespace sg::store {
namespace {

constexpr std::size_t kMostBytes = 16U << 20; // of one item
constexpr std::size_t kMostKey = 4096;
constexpr std::int64_t kMostRows = 100'000; // of one answer

bool isPlain(const Value& value)
{
    switch (value.kind()) {
    case Value::Kind::Bytes:
    case Value::Kind::Ext: return false;
    case Value::Kind::List: return std::ranges::all_of(value.asList(), isPlain);
    case Value::Kind::Map:
        return std::ranges::all_of(value.asMap(), [](const ValueMap::Entry& entry) {
            return entry.first.isString() && isPlain(entry.second);
        });
    default: return true;
    }
}

Result<void> checkPage(std::int64_t limit, std::int64_t offset)
{
    if (limit < 0 || limit > kMostRows)
        return Error{ Errc::InvalidArgument, "the limit is from 0 to 100000" };
    if (offset < 0)
        return Error{ Errc::InvalidArgument, "the offset is 0 or more" };
    return {};
}

} // namespace

Result<std::string> itemJson(const Namespace& ns, const std::string& key, const Value& value)
{
    if (auto fine = checkItemNamespace(ns); !fine)
        return std::move(fine.error());
    if (key.empty() || key.size() > kMostKey || key.find('\0') != std::string::npos || !isValidUtf8(key))
        return Error{ Errc::InvalidArgument, "the key of an item is 1 to 4096 bytes of UTF-8 without NUL" };
    if (!value.isMap() || !isPlain(value))
        return Error{ Errc::InvalidArgument,
                      "the value of an item is a JSON object: text keys, and no bytes or Python objects" };
    std::string json = toJson(value);
    if (json.size() > kMostBytes)
        return Error{ Errc::LimitExceeded,
                      "the value of '" + key + "' has " + std::to_string(json.size())
                          + " bytes of JSON; an item may have 16 MiB. Keep large data as an artifact" };
    return json;
}

Result<std::optional<double>> minutesToLive(const PutOptions& options,
                                            const std::optional<double>& defaultTtl)
{
    std::optional<double> minutes =
        options.ttl == PutOptions::Ttl::Minutes ? std::optional(options.minutes) : std::nullopt;
    if (options.ttl == PutOptions::Ttl::Default)
        minutes = defaultTtl;
    if (minutes && !(*minutes > 0 && *minutes <= kMostMinutes))
        return Error{ Errc::InvalidArgument, "the time to live is more than 0 minutes, to 100 years" };
    return minutes;
}

Result<void> checkSearch(const SearchQuery& query)
{
    if (auto fine = checkLabels(query.prefix); !fine)
        return fine;
    return checkPage(query.limit, query.offset);
}

Result<void> checkList(const NamespaceQuery& query)
{
    for (const Namespace* labels : { &query.prefix, &query.suffix })
        if (auto fine = checkLabels(*labels); !fine)
            return fine;
    return checkPage(query.limit, query.offset);
}

Error foundTooMuch()
{
    return { Errc::LimitExceeded,
             "the search found more than 48 MiB; narrow it, or take it in parts with limit and offset" };
}

} // namespace sg::store
