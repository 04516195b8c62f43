#pragma once

#include "core/base/result.h"
#include "core/base/value.h"
#include "core/store/long_term_store.h"

#include <cstddef>
#include <optional>
#include <string>

// The rules for items and questions, whichever database keeps the items.
namespace sg::store {

constexpr std::size_t kMostAnswer = 48U << 20; // bytes of the items that a search finds
constexpr double kMostMinutes = 60.0 * 24 * 366 * 100;

// Returns the value's JSON. Errc::InvalidArgument: namespace, key or value break the rules; LimitExceeded: it
// is larger than 16 MiB.
Result<std::string> itemJson(const Namespace& ns, const std::string& key, const Value& value);

// Returns how many minutes an item lives that is put with these options; none: for ever.
Result<std::optional<double>> minutesToLive(const PutOptions& options,
                                            const std::optional<double>& defaultTtl);

Result<void> checkSearch(const SearchQuery& query);
Result<void> checkList(const NamespaceQuery& query);

Error foundTooMuch(); // a search that exceeds kMostAnswer

} // namespace sg::store
