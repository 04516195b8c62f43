#pragma once

#include "core/base/result.h"
#include "core/base/value.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace sg {

struct MsgpackLimits {
    std::size_t bytes = 1U << 30;
    std::size_t depth = 256;
};

// MessagePack, as ormsgpack writes it: shortest integers, 64-bit floats, shortest ext forms, maps in
// insertion order.
std::string encodeMsgpack(const Value& value);
void appendMsgpack(std::string& out, const Value& value);
// Pieces of one, for callers that hold no Value: a text, or the head of a list or map whose items follow.
void appendMsgpackText(std::string& out, std::string_view text);
void appendMsgpackListHead(std::string& out, std::size_t count);
void appendMsgpackMapHead(std::string& out, std::size_t count);

// The whole text must be one value. Hostile input is refused (Errc::Corrupt), never trusted for allocation.
Result<Value> decodeMsgpack(std::string_view bytes, const MsgpackLimits& limits = {});

} // namespace sg
