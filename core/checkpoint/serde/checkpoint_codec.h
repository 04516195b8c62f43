#pragma once

#include "core/base/result.h"
#include "core/checkpoint/checkpoint.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

// These functions encode a checkpoint as the `checkpoint` and `metadata` columns hold it.
//
//   checkpoint = MessagePack map { v, ts, id, channel_values, channel_versions, versions_seen,
//   updated_channels,
//                … unknown keys as they came }, type tag "msgpack"; old files have "json" too
//   metadata   = JSON text { source, step, parents, … } with Python's separators ", " and ": ", UTF-8
namespace sg::checkpoint {

// `expectedSize` is the number of bytes to reserve.
std::string encodeCheckpoint(const Checkpoint& checkpoint, std::size_t expectedSize = 1024);
// CheckpointParts are a new checkpoint (version 4, no unknown keys) with maps that are encoded already.
struct CheckpointParts {
    std::string_view timestamp;
    std::string_view id;
    std::span<const std::pair<Value, Value>> channelValues; // by name
    std::string_view channelVersions; // this and the next are encoded maps
    std::string_view versionsSeen;
    std::optional<std::span<const std::string_view>> updatedChannels;
};
std::string encodeCheckpoint(const CheckpointParts& parts, std::size_t expectedSize);
// Errc::Unsupported if the type is one that LangGraph reads only by unpickling, or an unknown one.
Result<Checkpoint> decodeCheckpoint(std::string_view type, std::string_view blob);
Checkpoint checkpointOfFields(Value decoded); // of such a map

std::string
encodeMetadata(const CheckpointMetadata& metadata); // text without NUL characters, as LangGraph does
Result<CheckpointMetadata> decodeMetadata(std::string_view json);

// Reads the timestamp alone, from the first bytes of a "msgpack" blob; empty if it is not there.
std::string peekTimestamp(std::string_view blob);

} // namespace sg::checkpoint
