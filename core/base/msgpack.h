#pragma once

#include "core/base/result.h"
#include "core/base/value.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sg {

struct MsgpackLimits {
    std::size_t bytes = 1U << 30;
    std::size_t depth = 256;
    // Limits the memory of small values, in units of a number's size: a text counts as 3, a list or map as 5.
    // One byte may be a list, so the limit on bytes alone is not enough.
    std::size_t units = std::size_t{ 1 } << 29U;
};

// These Python types exist only while a run is under way; LangGraph has no stored form for them, nor do we. A
// tuple's payload is its items as a list, a numpy scalar's is [dtype, plain value]. MessagePack reserves
// codes below zero for itself and has assigned only -1.
inline constexpr std::int8_t kTupleExt = -64;
inline constexpr std::int8_t kNumpyScalarExt = -65;

// Returns the list or number that such a value is stored as, and any other value as it is.
Value asStored(Value value);

// Writes MessagePack as ormsgpack does: shortest integers and exts, 64-bit floats, maps in insertion order.
std::string encodeMsgpack(const Value& value); // as stored: tuples become lists
std::string encodeMsgpackOfRun(const Value& value); // tuples and numpy scalars keep their types
void appendMsgpack(std::string& out, const Value& value);
// These append parts of a value without a Value: a text, or the head of a list or map whose items follow.
void appendMsgpackText(std::string& out, std::string_view text);
void appendMsgpackListHead(std::string& out, std::size_t count);
void appendMsgpackMapHead(std::string& out, std::size_t count);

// Decodes bytes that are exactly one value. Hostile input is refused (Errc::Corrupt, or LimitExceeded for too
// many values), and its lengths are never trusted for allocation.
Result<Value> decodeMsgpack(std::string_view bytes, const MsgpackLimits& limits = {});

} // namespace sg
