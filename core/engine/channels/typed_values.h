#pragma once

#include "core/base/value.h"

#include <compare>
#include <optional>

// What Python's operators make of the typed values that state may hold beside plain data: datetime, date,
// timedelta, Decimal, set and tuple. They are inert here; nothing of Python is asked.
namespace sg::engine {

// a < b, of two of one kind (a Decimal also beside a whole number); nullopt where Python has no order for
// them, so a datetime with a zone beside one without.
std::optional<std::partial_ordering> orderOfTyped(const Value& a, const Value& b);

// a + b of two timedeltas, or of Decimals, one of which may be a whole number; nullopt for others, and for a
// sum of more than 28 digits, which Python's context would round.
std::optional<Value> sumOfTyped(const Value& a, const Value& b);

// The items of a list, tuple, set or frozenset.
std::optional<ValueList> itemsOf(const Value& value);

} // namespace sg::engine
