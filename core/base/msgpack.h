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
    // How much memory small values may take, in units of a number's: a text counts as 3, a list or map as 5.
    // A byte may be a list, so that the size alone says little.
    std::size_t units = std::size_t{ 1 } << 29U;
};

// Python's types that stored state has no form for, as LangGraph stores none, and that last while a run is
// under way: a tuple (payload: its items as a list) and a numpy scalar (payload: [dtype, plain value]). Codes
// below zero are nobody's: MessagePack keeps them for itself and has given out -1 alone.
inline constexpr std::int8_t kTupleExt = -64;
inline constexpr std::int8_t kNumpyScalarExt = -65;

// The list or number that such a value is stored as; any other value is returned as it is.
Value asStored(Value value);

// MessagePack, as ormsgpack writes it: shortest integers, 64-bit floats, shortest ext forms, maps in
// insertion order.
std::string encodeMsgpack(const Value& value); // as it is stored: tuples are lists
std::string encodeMsgpackOfRun(const Value& value); // tuples and numpy scalars stay what they are
void appendMsgpack(std::string& out, const Value& value);
// Pieces of one, for callers that hold no Value: a text, or the head of a list or map whose items follow.
void appendMsgpackText(std::string& out, std::string_view text);
void appendMsgpackListHead(std::string& out, std::size_t count);
void appendMsgpackMapHead(std::string& out, std::size_t count);

// The whole text must be one value. Hostile input is refused (Errc::Corrupt; LimitExceeded where it has too
// many values), never trusted for allocation.
Result<Value> decodeMsgpack(std::string_view bytes, const MsgpackLimits& limits = {});

} // namespace sg
