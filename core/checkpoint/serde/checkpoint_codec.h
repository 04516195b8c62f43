#pragma once

#include "core/base/result.h"
#include "core/checkpoint/checkpoint.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

// A checkpoint as the `checkpoint` and `metadata` columns hold it.
//
//   checkpoint = MessagePack map { v, ts, id, channel_values, channel_versions, versions_seen,
//   updated_channels,
//                … unknown keys as they came }, type tag "msgpack"; old files have "json" too
//   metadata   = JSON text { source, step, parents, … } with Python's separators ", " and ": ", UTF-8
namespace sg::checkpoint {

// `expectedSize`: bytes to set aside at once.
std::string encodeCheckpoint(const Checkpoint& checkpoint, std::size_t expectedSize = 1024);
// The same of a checkpoint that is new (version 4, no unknown keys), from its parts.
struct CheckpointParts {
    std::string_view timestamp;
    std::string_view id;
    std::span<const std::pair<Value, Value>> channelValues; // by name
    std::string_view channelVersions; // encoded maps
    std::string_view versionsSeen;
    std::optional<std::span<const std::string_view>> updatedChannels;
};
std::string encodeCheckpoint(const CheckpointParts& parts, std::size_t expectedSize);
// Errc::Unsupported where the type is none that LangGraph reads without unpickling.
Result<Checkpoint> decodeCheckpoint(std::string_view type, std::string_view blob);

std::string
encodeMetadata(const CheckpointMetadata& metadata); // text without NUL characters, as LangGraph does
Result<CheckpointMetadata> decodeMetadata(std::string_view json);

// The timestamp alone, from the first bytes of a "msgpack" blob; empty where it does not stand there.
std::string peekTimestamp(std::string_view blob);

} // namespace sg::checkpoint
