#include "core/checkpoint/serde/checkpoint_codec.h"

#include "core/base/json.h"
#include "core/base/msgpack.h"
#include "core/base/msgpack_reader.h"
#include "core/checkpoint/serde/typed_value.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace sg::checkpoint {

namespace {

constexpr int kNewVersion = 4;

// Saves the copy of the map that a Value would need.
void appendMap(std::string& out, const ValueMap& map)
{
    appendMsgpackMapHead(out, map.size());
    for (const auto& [key, value] : map) {
        appendMsgpack(out, key);
        appendMsgpack(out, value);
    }
}

ValueMap mapOf(Value& value)
{
    return value.isMap() ? std::move(value.editMap()) : ValueMap();
}

std::optional<std::vector<std::string>> channelNames(const Value& value)
{
    if (!value.isList())
        return std::nullopt;
    std::vector<std::string> names;
    for (const Value& name : value.asList()) {
        if (name.isString())
            names.push_back(name.asString());
    }
    return names;
}

void takeField(Checkpoint& checkpoint, const std::string& key, Value value)
{
    if (key == "v")
        checkpoint.version =
            static_cast<int>(value.isInt() ? std::clamp<std::int64_t>(value.asInt(), 0, 999) : 0);
    else if (key == "ts")
        checkpoint.timestamp = value.isString() ? value.asString() : std::string();
    else if (key == "id")
        checkpoint.id = CheckpointId(value.isString() ? value.asString() : std::string());
    else if (key == "channel_values")
        checkpoint.channelValues = mapOf(value);
    else if (key == "channel_versions")
        checkpoint.channelVersions = mapOf(value);
    else if (key == "versions_seen")
        checkpoint.versionsSeen = mapOf(value);
    else if (key == "updated_channels")
        checkpoint.updatedChannels = channelNames(value);
    else
        checkpoint.unknown.set(key, std::move(value));
}

void takeField(Checkpoint& checkpoint, Value key, Value value)
{
    if (key.isString())
        takeField(checkpoint, key.asString(), std::move(value));
    else
        checkpoint.unknown.set(std::move(key), std::move(value));
}

// Reads the fields directly, without building a map of them.
std::optional<Checkpoint> readFields(std::string_view blob)
{
    MsgpackReader reader(blob, MsgpackLimits().depth - 1);
    const auto count = reader.mapSize();
    if (!count || blob.size() > MsgpackLimits().bytes)
        return std::nullopt;
    Checkpoint checkpoint;
    checkpoint.version = 1; // a checkpoint without "v" is older than that key
    for (std::uint32_t i = 0; i < *count; ++i) {
        auto key = reader.value();
        auto value = key ? reader.value() : std::nullopt;
        if (!value)
            return std::nullopt;
        takeField(checkpoint, *std::move(key), *std::move(value));
    }
    return reader.atEnd() ? std::optional(std::move(checkpoint)) : std::nullopt;
}

// Reads {"source": "loop", "step": 3, "parents": {}}, which most metadata are; nullopt for anything else.
std::optional<CheckpointMetadata> plainMetadata(std::string_view json)
{
    const auto skip = [&json](std::string_view text) {
        if (!json.starts_with(text))
            return false;
        json.remove_prefix(text.size());
        return true;
    };
    if (!skip("{\"source\": \""))
        return std::nullopt;
    const std::size_t end = std::min(json.find_first_not_of("abcdefghijklmnopqrstuvwxyz"), json.size());
    CheckpointMetadata metadata;
    metadata.source = json.substr(0, end);
    json.remove_prefix(end);
    if (!skip("\", \"step\": "))
        return std::nullopt;
    const bool isNegative = skip("-");
    const auto [rest, error] = std::from_chars(json.data(), json.data() + json.size(), metadata.step);
    const auto digits = static_cast<std::size_t>(rest - json.data());
    const bool isPlain = digits == 1 || (digits > 1 && json.front() != '0');
    if (error != std::errc() || json.front() == '-' || !isPlain)
        return std::nullopt;
    json.remove_prefix(digits);
    if (isNegative)
        metadata.step = -metadata.step;
    return skip(", \"parents\": {}}") && json.empty() ? std::optional(std::move(metadata)) : std::nullopt;
}

Value withoutNul(const Value& value)
{
    if (!value.isString() || value.asString().find('\0') == std::string::npos)
        return value;
    std::string text = value.asString();
    std::erase(text, '\0');
    return Value(std::move(text));
}

} // namespace

std::string encodeCheckpoint(const Checkpoint& checkpoint, std::size_t expectedSize)
{
    std::string out;
    out.reserve(expectedSize);
    appendMsgpackMapHead(out, 7 + checkpoint.unknown.size());
    appendMsgpackText(out, "v");
    appendMsgpack(out, Value(checkpoint.version));
    appendMsgpackText(out, "ts");
    appendMsgpackText(out, checkpoint.timestamp);
    appendMsgpackText(out, "id");
    appendMsgpackText(out, checkpoint.id.value);
    appendMsgpackText(out, "channel_values");
    appendMap(out, checkpoint.channelValues);
    appendMsgpackText(out, "channel_versions");
    appendMap(out, checkpoint.channelVersions);
    appendMsgpackText(out, "versions_seen");
    appendMap(out, checkpoint.versionsSeen);
    appendMsgpackText(out, "updated_channels");
    if (checkpoint.updatedChannels) {
        appendMsgpackListHead(out, checkpoint.updatedChannels->size());
        for (const std::string& name : *checkpoint.updatedChannels)
            appendMsgpackText(out, name);
    } else {
        appendMsgpack(out, Value());
    }
    for (const auto& [name, value] : checkpoint.unknown) {
        appendMsgpack(out, name);
        appendMsgpack(out, value);
    }
    return out;
}

std::string encodeCheckpoint(const CheckpointParts& parts, std::size_t expectedSize)
{
    std::string out;
    out.reserve(expectedSize);
    appendMsgpackMapHead(out, 7);
    appendMsgpackText(out, "v");
    appendMsgpack(out, Value(kNewVersion));
    appendMsgpackText(out, "ts");
    appendMsgpackText(out, parts.timestamp);
    appendMsgpackText(out, "id");
    appendMsgpackText(out, parts.id);
    appendMsgpackText(out, "channel_values");
    appendMsgpackMapHead(out, parts.channelValues.size());
    for (const auto& [name, value] : parts.channelValues) {
        appendMsgpack(out, name);
        appendMsgpack(out, value);
    }
    appendMsgpackText(out, "channel_versions");
    out += parts.channelVersions;
    appendMsgpackText(out, "versions_seen");
    out += parts.versionsSeen;
    appendMsgpackText(out, "updated_channels");
    if (parts.updatedChannels) {
        appendMsgpackListHead(out, parts.updatedChannels->size());
        for (const std::string_view name : *parts.updatedChannels)
            appendMsgpackText(out, name);
    } else {
        appendMsgpack(out, Value());
    }
    return out;
}

Result<Checkpoint> decodeCheckpoint(std::string_view type, std::string_view blob)
{
    if (type != "msgpack" && type != "json")
        return Error{ Errc::Unsupported,
                      "the checkpoint is stored as \"" + std::string(type)
                          + "\", which cannot be read without running code from the file" };
    if (auto direct = type == "msgpack" ? readFields(blob) : std::nullopt)
        return *std::move(direct);
    auto decoded = loadsTyped(type, blob); // says what is wrong, if it fails
    if (!decoded)
        return std::move(decoded.error());
    if (!decoded->isMap())
        return Error{ Errc::Corrupt, "the checkpoint is no map" };
    return checkpointOfFields(*std::move(decoded));
}

Checkpoint checkpointOfFields(Value decoded)
{
    Checkpoint checkpoint;
    checkpoint.version = 1; // a checkpoint without "v" is older than that key
    ValueMap& fields = decoded.editMap();
    std::vector<Value> keys;
    for (const auto& [key, value] : fields)
        keys.push_back(key);
    for (Value& key : keys) {
        Value field = std::move(fields.at(key)); // moved, so that its maps need not be copied
        takeField(checkpoint, std::move(key), std::move(field));
    }
    return checkpoint;
}

std::string encodeMetadata(const CheckpointMetadata& metadata)
{
    const bool isWord =
        metadata.source.text().find_first_not_of("abcdefghijklmnopqrstuvwxyz") == std::string::npos;
    if (isWord && metadata.parents.empty() && metadata.extra.empty())
        return "{\"source\": \"" + metadata.source.text() + "\", \"step\": " + std::to_string(metadata.step)
            + ", \"parents\": {}}";
    ValueMap map;
    map.reserve(3 + metadata.extra.size());
    map.set("source", metadata.source.text());
    map.set("step", metadata.step);
    map.set("parents", Value(metadata.parents));
    for (const auto& [key, value] : metadata.extra)
        map.set(key, withoutNul(value));
    return toJson(Value(std::move(map)), JsonStyle::Spaced);
}

Result<CheckpointMetadata> decodeMetadata(std::string_view json)
{
    CheckpointMetadata metadata;
    if (json.empty())
        return metadata;
    if (auto plain = plainMetadata(json))
        return *std::move(plain);
    auto parsed = parseJson(json);
    if (!parsed)
        return Error{ Errc::Corrupt, "its metadata is no JSON: " + parsed.error().message };
    if (!parsed->isMap())
        return Error{ Errc::Corrupt, "its metadata is no JSON object" };
    for (const auto& [key, value] : parsed->asMap()) {
        if (key == Value("source") && value.isString())
            metadata.source = value.asString();
        else if (key == Value("step") && value.isInt())
            metadata.step = value.asInt();
        else if (key == Value("parents") && value.isMap())
            metadata.parents = value.asMap();
        else
            metadata.extra.set(key, value);
    }
    return metadata;
}

std::string peekTimestamp(std::string_view blob)
{
    // The blob starts with the map's head, "v", a small integer, "ts" and a text below 256 bytes.
    constexpr std::string_view kKey = "\xA2ts";
    const std::size_t at = blob.substr(0, 16).find(kKey);
    if (at == std::string_view::npos)
        return {};
    std::string_view rest = blob.substr(at + kKey.size());
    if (rest.size() < 2)
        return {};
    const auto head = static_cast<unsigned char>(rest.front());
    std::size_t size = 0;
    if ((head & 0xE0U) == 0xA0U) {
        size = head & 0x1FU;
        rest.remove_prefix(1);
    } else if (head == 0xD9) {
        size = static_cast<unsigned char>(rest[1]);
        rest.remove_prefix(2);
    }
    return std::string(rest.size() < size ? std::string_view() : rest.substr(0, size));
}

} // namespace sg::checkpoint
