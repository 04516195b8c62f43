#pragma once

#include "core/base/value.h"

#include <compare>
#include <optional>

// Python's operators for the typed values that state may hold besides plain data: datetime, date, timedelta,
// Decimal, set and tuple. They are computed here, without a Python interpreter.
namespace sg::engine {

// Compares two values of one kind, or a Decimal and a whole number. nullopt if Python does not order them, as
// with a datetime that has a zone and one that has none.
std::optional<std::partial_ordering> orderOfTyped(const Value& a, const Value& b);

// Adds two timedeltas, or Decimals of which one may be a whole number. nullopt for other values and for a sum
// of more than 28 digits, which Python's context would round.
std::optional<Value> sumOfTyped(const Value& a, const Value& b);

// Returns the items of a list, tuple, set or frozenset.
std::optional<ValueList> itemsOf(const Value& value);

} // namespace sg::engine
