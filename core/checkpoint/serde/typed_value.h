#pragma once

#include "core/base/result.h"
#include "core/base/value.h"

#include <string>
#include <string_view>

// These functions convert one value to and from the `type` and BLOB columns of LangGraph's tables.
namespace sg::checkpoint {

struct TypedBlob {
    std::string type; // "null", "bytes", "bytearray", "msgpack", "json", or a tag we do not know
    std::string blob;
    friend bool operator==(const TypedBlob&, const TypedBlob&) = default;
};

// Returns the tag that dumpsTyped() gives. `typeTag` is what the value was stored as, empty if it is new.
std::string_view typeTagOf(const Value& value, std::string_view typeTag = {});

// Null becomes "null", Bytes "bytes", all else "msgpack". `typeTag` is what the value was stored as, empty if
// it is new: it tells "bytearray" from "bytes" and lets an opaque value (Ext kOpaqueExt) go back byte for
// byte.
TypedBlob dumpsTyped(const Value& value, std::string_view typeTag = {});

// Nothing is constructed or executed: Ext values stay raw; pickles and unknown types come back as
// Ext{kOpaqueExt, blob}. "json" (old LangGraph) becomes plain data, with its constructor envelopes as the Ext
// values that LangGraph writes today. Errc::Corrupt if the blob is not what its type says.
Result<Value> loadsTyped(std::string_view type, std::string_view blob);

} // namespace sg::checkpoint
