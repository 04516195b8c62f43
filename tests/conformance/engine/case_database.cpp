#include "tests/conformance/engine/case_database.h"

#include "core/engine/errors/python_text.h"
#include "core/engine/state/versions.h"
#include "core/engine/steps/task_ids.h"
#include "tests/conformance/engine/name_list.h"
#include "tests/conformance/engine/python_json.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace sg::conformance {

using checkpoint::CheckpointRecord;
using engine::Failure;

namespace {

Value numbersOf(const ValueMap& versions)
{
    ValueMap out;
    for (const auto& [channel, version] : versions)
        out.set(channel, Value(engine::readVersion(version).number));
    return Value(std::move(out));
}

Value dumpedWrites(const std::vector<checkpoint::PendingWrite>& pending, const Canonical& plain)
{
    ValueList writes;
    bool gathered = false;
    for (const checkpoint::PendingWrite& write : pending) {
        gathered = gathered || write.taskPath.empty();
        writes.push_back(
            Value::map({ { "task", write.taskId.value.starts_with("00000000-0000") ? "null" : "task" },
                         { "path", write.taskPath },
                         { "idx", Value(write.index) },
                         { "channel", write.channel },
                         { "type", write.typeTag },
                         { "value",
                           write.channel == "__interrupt__" ? plain.interrupts(write.value)
                                                            : plain.value(write.value) } }));
    }
    if (gathered)
        std::ranges::stable_sort(writes, {}, [](const Value& write) {
            const std::string path = write["path"].asString();
            return std::tuple(path, path.empty() ? sortKey(write["value"]) : "", write["idx"].asInt());
        });
    return Value(std::move(writes));
}

Value dumped(const CheckpointRecord& record, const Canonical& plain)
{
    ValueMap seen;
    for (const auto& [node, versions] : record.checkpoint.versionsSeen)
        seen.set(node, numbersOf(versions.asMap()));
    Value updated;
    if (record.checkpoint.updatedChannels) {
        updated = Value(ValueList());
        for (const std::string& name : *record.checkpoint.updatedChannels)
            updated.editList().emplace_back(name);
    }
    ValueMap metadata{ { "source",
                         record.metadata.source.empty() ? Value() : Value(record.metadata.source.text()) },
                       { "step", Value(record.metadata.step) },
                       { "parents", Value(record.metadata.parents) } };
    for (const auto& [key, value] : record.metadata.extra)
        metadata.set(key, value);
    return Value::map({ { "checkpoint", plain.rank(Value(record.ref.id.value)) },
                        { "parent", record.parent ? plain.rank(Value(record.parent->value)) : Value() },
                        { "type", "msgpack" },
                        { "v", record.checkpoint.version },
                        { "metadata", plain.metadata(Value(std::move(metadata))) },
                        { "channel_values", plain.value(Value(record.checkpoint.channelValues)) },
                        { "channel_versions", numbersOf(record.checkpoint.channelVersions) },
                        { "versions_seen", Value(std::move(seen)) },
                        { "updated_channels", std::move(updated) },
                        { "writes", dumpedWrites(record.writes, plain) } });
}

} // namespace

ThreadId threadOf(const Value& op)
{
    return ThreadId(op["thread"].isInt() ? std::to_string(op["thread"].asInt()) : op.stringOr("thread", "1"));
}

std::vector<CheckpointRecord> CaseDatabase::records(const ThreadId& thread, bool withWrites) const
{
    checkpoint::CheckpointQuery query;
    query.thread = thread;
    query.withWrites = withWrites;
    std::vector<CheckpointRecord> out;
    (void)m_store.list(query, [&out](const CheckpointRecord& record) {
        out.push_back(record);
        return true;
    });
    std::ranges::reverse(out); // oldest first
    return out;
}

Canonical CaseDatabase::canonical() const
{
    std::map<std::string, std::int64_t> ranks;
    std::map<std::pair<std::string, std::string>, std::int64_t> counts;
    if (auto threads = m_store.threads())
        for (const checkpoint::ThreadSummary& thread : *threads)
            for (const CheckpointRecord& record : records(thread.thread, false))
                ranks[record.ref.id.value] = counts[{ thread.thread.value, record.ref.ns }]++;
    return Canonical(std::move(ranks));
}

std::variant<std::string, Failure> CaseDatabase::findNamespace(const Value& op) const
{
    std::string wanted;
    for (const std::string& name : namesIn(op["subgraph"]))
        wanted += (wanted.empty() ? "" : "|") + name;
    std::vector<std::string> found;
    for (const CheckpointRecord& record : records(threadOf(op), false))
        if (!record.ref.ns.empty() && engine::plainNamespace(record.ref.ns) == wanted
            && std::ranges::find(found, record.ref.ns) == found.end())
            found.push_back(record.ref.ns);
    const std::int64_t nth = op.intOr("nth", -1);
    const auto count = static_cast<std::int64_t>(found.size());
    if (nth < -count || nth >= count)
        return Failure{ "ScriptError", "no subgraph namespace " + wanted };
    return found[static_cast<std::size_t>(nth < 0 ? nth + count : nth)];
}

std::variant<engine::StateAddress, Failure> CaseDatabase::addressOf(const Value& op) const
{
    engine::StateAddress address{ threadOf(op), "", std::nullopt };
    if (engine::pythonTruth(op["subgraph"])) {
        auto ns = findNamespace(op);
        if (const auto* error = std::get_if<Failure>(&ns))
            return *error;
        address.ns = std::get<std::string>(ns);
    }
    if (!op["at"].isInt())
        return address;
    std::vector<CheckpointId> ids;
    for (const CheckpointRecord& record : records(address.thread, false))
        if (record.ref.ns == address.ns)
            ids.push_back(record.ref.id);
    const std::int64_t at = op["at"].asInt();
    const auto count = static_cast<std::int64_t>(ids.size());
    const std::int64_t place = at >= 0 ? at : count + at;
    if (place < 0 || place >= count)
        return Failure{ "ScriptError", "no checkpoint " + std::to_string(place) };
    address.checkpoint = ids[static_cast<std::size_t>(place)];
    return address;
}

void CaseDatabase::finishMetadata(engine::StreamChunk& chunk, const ThreadId& thread) const
{
    const bool isDebug = chunk.mode == "debug" && chunk.data.stringOr("type", "") == "checkpoint";
    if (!isDebug && chunk.mode != "checkpoints")
        return;
    Value& shown = isDebug ? chunk.data.editMap().at(Value("payload")) : chunk.data;
    const Value& place = shown["config"]["configurable"];
    const auto stored = m_store.get(thread, place.stringOr("checkpoint_ns", ""),
                                    CheckpointId(place.stringOr("checkpoint_id", "")));
    if (!stored || !*stored)
        return;
    const Value counters = "counters_since_delta_snapshot";
    ValueMap& metadata = shown.editMap().at(Value("metadata")).editMap();
    metadata.erase(counters);
    if (const Value* last = (*stored)->metadata.extra.find(counters))
        metadata.set(counters, *last);
}

Value CaseDatabase::dump(const ThreadId& thread) const
{
    const Canonical plain = canonical();
    std::vector<std::pair<std::string, ValueList>> namespaces; // by their first checkpoint's age
    for (const CheckpointRecord& record : records(thread, true)) {
        auto found = std::ranges::find(namespaces, record.ref.ns, &decltype(namespaces)::value_type::first);
        if (found == namespaces.end())
            found = namespaces.insert(namespaces.end(), { record.ref.ns, {} });
        found->second.push_back(dumped(record, plain));
    }
    std::ranges::stable_sort(namespaces, {}, [](const auto& entry) { return withoutUuids(entry.first); });
    ValueList out;
    for (auto& [ns, checkpoints] : namespaces)
        out.push_back(
            Value::map({ { "ns", withoutUuids(ns) }, { "checkpoints", Value(std::move(checkpoints)) } }));
    return Value(std::move(out));
}

} // namespace sg::conformance
