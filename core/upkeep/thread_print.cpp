#include "core/upkeep/thread_print.h"

#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/msgpack.h"
#include "core/checkpoint/serde/typed_value.h"

#include <algorithm>
#include <optional>

namespace sg::upkeep {
namespace {

using checkpoint::Checkpoint;
using checkpoint::CheckpointRecord;
using checkpoint::PendingWrite;

// Before version 4 a checkpoint's sends are writes of its parent. A store may show them as a channel, too.
constexpr const char* kSends = "__pregel_tasks";

std::string keyText(const Value& key)
{
    return key.isString() ? key.asString() : toJson(key);
}

// Keys in order; the values as they are.
Value sortedMap(const ValueMap& map)
{
    std::vector<std::pair<Value, Value>> entries(map.begin(), map.end());
    std::ranges::sort(entries, {}, [](const std::pair<Value, Value>& entry) { return keyText(entry.first); });
    ValueList list;
    for (auto& [key, value] : entries)
        list.push_back(Value::list({ std::move(key), std::move(value) }));
    return Value(std::move(list));
}

// For what a database may keep as its own JSON: 1e20 comes back as 100000000000000000000, and 1 as 1.
Value asJsonKept(const Value& value)
{
    if (value.isMap()) {
        ValueMap map;
        for (const auto& [key, each] : value.asMap())
            map.set(key, asJsonKept(each));
        return sortedMap(map);
    }
    if (value.isList()) {
        ValueList list;
        for (const Value& each : value.asList())
            list.push_back(asJsonKept(each));
        return Value(std::move(list));
    }
    return value.isNumber() ? Value(value.asDouble()) : value;
}

Value withoutSends(ValueMap map, std::int64_t version)
{
    ValueMap kept;
    for (auto& [channel, value] : map)
        if (version >= 4 || keyText(channel) != kSends)
            kept.set(channel, value);
    return Value(std::move(kept));
}

std::string printOf(const CheckpointRecord& record)
{
    const Checkpoint& checkpoint = record.checkpoint;
    ValueList updated;
    for (const std::string& channel : checkpoint.updatedChannels.value_or(std::vector<std::string>()))
        updated.emplace_back(channel);
    return xxh3Hex(encodeMsgpack(Value::list(
        { record.parent ? Value(record.parent->value) : Value(), checkpoint.version, checkpoint.timestamp,
          checkpoint.id.value, sortedMap(withoutSends(checkpoint.channelValues, checkpoint.version).asMap()),
          asJsonKept(withoutSends(checkpoint.channelVersions, checkpoint.version)),
          asJsonKept(Value(checkpoint.versionsSeen)),
          checkpoint.updatedChannels ? Value(std::move(updated)) : Value(),
          asJsonKept(Value(checkpoint.unknown)), record.metadata.source.text(),
          static_cast<double>(record.metadata.step), asJsonKept(Value(record.metadata.parents)),
          asJsonKept(Value(record.metadata.extra)) })));
}

std::string printOf(const PendingWrite& write)
{
    const checkpoint::TypedBlob value = checkpoint::dumpsTyped(write.value, write.typeTag);
    return xxh3Hex(encodeMsgpack(Value::list({ write.taskId.value, write.taskPath, write.index, write.channel,
                                               value.type, Bytes{ value.blob } })));
}

} // namespace

std::int64_t ThreadPrint::writes() const
{
    std::int64_t sum = 0;
    for (const auto& [place, row] : rows)
        sum += std::ssize(row.writes);
    return sum;
}

bool ThreadPrint::isPartOf(const ThreadPrint& other) const
{
    return std::ranges::all_of(rows, [&](const auto& entry) {
        const auto theirs = other.rows.find(entry.first);
        return theirs != other.rows.end() && theirs->second.checkpoint == entry.second.checkpoint
            && std::ranges::includes(theirs->second.writes, entry.second.writes);
    });
}

Result<ThreadPrint> printOf(checkpoint::CheckpointStore& store, const ThreadId& thread,
                            const std::stop_token& stop, const TakeRecord& also)
{
    ThreadPrint print;
    std::optional<Error> failed;
    checkpoint::CheckpointQuery query;
    query.thread = thread;
    auto listed = store.list(query, [&](const CheckpointRecord& record) {
        if (stop.stop_requested())
            failed = Error{ Errc::Cancelled, "stopped" };
        else if (!record.problem.empty())
            failed = Error{ Errc::Corrupt, record.problem };
        else if (auto done = also ? also(record) : Result<void>(); !done)
            failed = std::move(done.error());
        if (failed)
            return false;
        ThreadPrint::Row& row = print.rows[{ record.ref.ns, record.ref.id.value }];
        row.checkpoint = printOf(record);
        for (const PendingWrite& write : record.writes)
            row.writes.push_back(printOf(write));
        std::ranges::sort(row.writes);
        return true;
    });
    if (failed)
        return *std::move(failed);
    if (!listed)
        return std::move(listed.error());
    return print;
}

} // namespace sg::upkeep
