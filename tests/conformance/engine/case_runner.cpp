#include "tests/conformance/engine/case_runner.h"

#include "core/base/clock.h"
#include "core/checkpoint/serde/langgraph_types.h"
#include "core/checkpoint/sqlite_checkpoint_store.h"
#include "core/engine/engine.h"
#include "core/engine/python_text.h"
#include "core/engine/task_ids.h"
#include "core/engine/versions.h"
#include "tests/conformance/engine/canonical.h"
#include "tests/conformance/engine/case_graph.h"
#include "tests/conformance/engine/case_nodes.h"
#include "tests/conformance/engine/python_json.h"

#include <algorithm>
#include <map>
#include <optional>
#include <variant>

namespace sg::conformance {
namespace {

using checkpoint::CheckpointRecord;
using engine::EngineError;

Value errorValue(const EngineError& error)
{
    const std::string firstLine = error.message.substr(0, error.message.find('\n'));
    return Value::map(
        { { "error", Value::map({ { "type", error.type }, { "message", withoutUuids(firstLine) } }) } });
}

ThreadId threadOf(const Value& op)
{
    return ThreadId(op["thread"].isInt() ? std::to_string(op["thread"].asInt()) : op.stringOr("thread", "1"));
}

std::vector<std::string> namesIn(const Value& list)
{
    std::vector<std::string> out;
    if (list.isString())
        out.push_back(list.asString());
    else if (list.isList())
        for (const Value& item : list.asList())
            out.push_back(item.asString());
    return out;
}

class CaseRunner {
public:
    CaseRunner(const Value& description, std::filesystem::path database)
        : m_case(description)
        , m_database(std::move(database))
    {
    }
    Value run();

private:
    std::optional<std::string> open();
    std::variant<Value, EngineError> perform(const Value& op);
    std::variant<Value, EngineError> runGraph(const Value& op);
    std::variant<Value, EngineError> update(const Value& op, const engine::StateAddress& at);
    std::variant<Value, EngineError> history(const Value& op);
    std::variant<engine::RunInput, EngineError> inputOf(const Value& op);
    engine::RunOptions optionsOf(const Value& op, const engine::StateAddress& at);
    std::variant<engine::StateAddress, EngineError> addressOf(const Value& op);
    std::variant<std::string, EngineError> findNamespace(const Value& op);
    std::vector<CheckpointRecord> records(const ThreadId& thread, bool withWrites);
    Canonical canonical();
    Value dump(const ThreadId& thread);
    Value dumpCheckpoint(const CheckpointRecord& record, const Canonical& canonical);

    const Value& m_case;
    std::filesystem::path m_database;
    SystemClock m_clock;
    SystemRandom m_random;
    CaseMemory m_memory;
    std::unique_ptr<checkpoint::CheckpointStore> m_store;
    std::unique_ptr<CaseNodes> m_nodes;
    std::unique_ptr<engine::Engine> m_engine;
};

std::optional<std::string> CaseRunner::open()
{
    m_engine.reset();
    m_store.reset();
    checkpoint::SqliteStoreOptions options;
    options.fullSync = false;
    auto store = checkpoint::openSqliteCheckpointStore(m_database, options);
    if (!store)
        return store.error().message;
    m_store = *std::move(store);
    std::vector<std::string> programs;
    const graph::Graph graph = caseGraph(m_case["graph"], programs);
    m_nodes = std::make_unique<CaseNodes>(m_memory, std::move(programs));
    auto program = engine::compile(graph, *m_nodes);
    if (!program)
        return program.error().message;
    const bool stores = !m_case.boolOr("no_checkpointer", false);
    m_engine = std::make_unique<engine::Engine>(
        *std::move(program),
        engine::Services{ stores ? m_store.get() : nullptr, m_clock, m_random, nullptr });
    return std::nullopt;
}

Value CaseRunner::run()
{
    if (const auto problem = open())
        return Value::map(
            { { "compile_error", Value::map({ { "type", "ValueError" }, { "message", *problem } }) } });
    ValueList trace;
    for (const Value& op : m_case["ops"].asList()) {
        auto result = perform(op);
        Value entry = std::holds_alternative<Value>(result) ? std::get<Value>(std::move(result))
                                                            : errorValue(std::get<EngineError>(result));
        entry.editMap().set("op", op["op"]);
        trace.push_back(std::move(entry));
    }
    ValueMap runs;
    for (const auto& [path, count] : m_memory.runs)
        runs.set(Value(path), Value(count));
    return Value::map({ { "trace", Value(std::move(trace)) }, { "runs", Value(std::move(runs)) } });
}

std::vector<CheckpointRecord> CaseRunner::records(const ThreadId& thread, bool withWrites)
{
    checkpoint::CheckpointQuery query;
    query.thread = thread;
    query.withWrites = withWrites;
    std::vector<CheckpointRecord> out;
    (void)m_store->list(query, [&out](const CheckpointRecord& record) {
        out.push_back(record);
        return true;
    });
    std::ranges::reverse(out); // oldest first
    return out;
}

Canonical CaseRunner::canonical()
{
    std::map<std::string, std::int64_t> ranks;
    std::map<std::pair<std::string, std::string>, std::int64_t> counts;
    if (auto threads = m_store->threads())
        for (const checkpoint::ThreadSummary& thread : *threads)
            for (const CheckpointRecord& record : records(thread.thread, false))
                ranks[record.ref.id.value] = counts[{ thread.thread.value, record.ref.ns }]++;
    return Canonical(std::move(ranks));
}

std::variant<std::string, EngineError> CaseRunner::findNamespace(const Value& op)
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
        return EngineError{ "ScriptError", "no subgraph namespace " + wanted };
    return found[static_cast<std::size_t>(nth < 0 ? nth + count : nth)];
}

std::variant<engine::StateAddress, EngineError> CaseRunner::addressOf(const Value& op)
{
    engine::StateAddress address{ threadOf(op), "", std::nullopt };
    if (engine::pythonTruth(op["subgraph"])) {
        auto ns = findNamespace(op);
        if (const auto* error = std::get_if<EngineError>(&ns))
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
        return EngineError{ "ScriptError", "no checkpoint " + std::to_string(place) };
    address.checkpoint = ids[static_cast<std::size_t>(place)];
    return address;
}

std::variant<engine::RunInput, EngineError> CaseRunner::inputOf(const Value& op)
{
    if (const Value* answers = op.find("resume_by")) {
        auto state = m_engine->getState({ threadOf(op), "", std::nullopt });
        if (const auto* error = std::get_if<EngineError>(&state))
            return *error;
        ValueList interrupts = std::get<engine::StateSnapshot>(state).interrupts;
        const Canonical plain = canonical();
        std::ranges::stable_sort(interrupts, {},
                                 [&plain](const Value& each) { return sortKey(plain.value(each["value"])); });
        ValueMap byId;
        for (const auto& [place, answer] : answers->asMap()) {
            const auto index = static_cast<std::size_t>(std::stoul(place.asString()));
            if (index >= interrupts.size())
                return EngineError{ "ScriptError", "no such interrupt" };
            byId.set(interrupts[index]["id"], answer);
        }
        return engine::RunInput::resumeById(std::move(byId));
    }
    if (op.find("resume") != nullptr || op.find("command") != nullptr) {
        ValueMap command = op["command"].isMap() ? op["command"].asMap() : ValueMap();
        if (const Value* answer = op.find("resume"))
            command.set("resume", *answer);
        return engine::RunInput::command(caseCommand(Value(std::move(command))));
    }
    return engine::RunInput::input(op["input"]);
}

engine::RunOptions CaseRunner::optionsOf(const Value& op, const engine::StateAddress& at)
{
    engine::RunOptions options;
    options.thread = at.thread;
    options.ns = at.ns;
    options.checkpoint = at.checkpoint;
    options.inlineTasks = true;
    if (op["recursion_limit"].isInt())
        options.recursionLimit = static_cast<int>(op["recursion_limit"].asInt());
    const std::string durability = op.stringOr("durability", "async");
    options.durability = durability == "sync" ? engine::Durability::Sync
        : durability == "exit"                ? engine::Durability::Exit
                                              : engine::Durability::Async;
    options.interruptBefore = namesIn(op["interrupt_before"]);
    options.interruptAfter = namesIn(op["interrupt_after"]);
    options.outputKeys = namesIn(op["output_keys"]);
    if (op["metadata"].isMap())
        options.metadata = op["metadata"].asMap();
    if (op.stringOr("op", "") == "stream") {
        options.streamModes =
            op.find("modes") != nullptr ? namesIn(op["modes"]) : std::vector<std::string>{ "updates" };
        options.streamSubgraphs = op.boolOr("subgraphs", false);
    }
    return options;
}

std::variant<Value, EngineError> CaseRunner::runGraph(const Value& op)
{
    auto input = inputOf(op);
    if (const auto* error = std::get_if<EngineError>(&input))
        return *error;
    auto address = addressOf(op);
    if (const auto* error = std::get_if<EngineError>(&address))
        return *error;
    const engine::RunOptions options = optionsOf(op, std::get<engine::StateAddress>(address));
    std::vector<engine::StreamChunk> chunks;
    const auto result =
        m_engine->run(std::get<engine::RunInput>(input), options, [&chunks](const auto& event) {
            if (const auto* chunk = std::get_if<engine::StreamChunk>(&event.body))
                chunks.push_back(*chunk);
        });
    const Canonical plain = canonical();
    const bool failed =
        result.status == engine::RunStatus::Failed || result.status == engine::RunStatus::RecursionLimit;
    const EngineError error{ result.errorType, result.error };
    if (op.stringOr("op", "") != "stream")
        return failed ? std::variant<Value, EngineError>(error)
                      : Value::map({ { "result", plain.value(result.values) } });
    ValueList list;
    for (const engine::StreamChunk& chunk : chunks) {
        ValueMap entry{ { "mode", chunk.mode }, { "data", plain.chunk(chunk.mode, chunk.data) } };
        if (options.streamSubgraphs) {
            ValueList ns;
            std::string rest = withoutUuids(chunk.ns);
            while (!rest.empty()) {
                const std::size_t bar = std::min(rest.find('|'), rest.size());
                ns.emplace_back(rest.substr(0, bar));
                rest = bar < rest.size() ? rest.substr(bar + 1) : "";
            }
            entry.set("ns", Value(std::move(ns)));
        }
        list.push_back(Value(std::move(entry)));
    }
    Value out = failed ? errorValue(error) : Value(ValueMap());
    out.editMap().set("chunks", Value(std::move(list)));
    return out;
}

std::variant<Value, EngineError> CaseRunner::update(const Value& op, const engine::StateAddress& at)
{
    const auto updateOf = [](const Value& item) {
        engine::StateUpdate one{ item["values"], std::nullopt };
        if (item["as_node"].isString())
            one.asNode = item["as_node"].asString();
        return one;
    };
    std::vector<std::vector<engine::StateUpdate>> steps;
    if (op.stringOr("op", "") == "update_state")
        steps = { { updateOf(op) } };
    else
        for (const Value& step : op["supersteps"].asList()) {
            steps.emplace_back();
            for (const Value& item : step.asList())
                steps.back().push_back(updateOf(item));
        }
    auto done = m_engine->bulkUpdateState(at, steps);
    if (const auto* error = std::get_if<EngineError>(&done))
        return *error;
    return Value::map({ { "config", canonical().config(std::get<engine::SnapshotConfig>(done)) } });
}

std::variant<Value, EngineError> CaseRunner::history(const Value& op)
{
    engine::HistoryQuery query;
    if (op["before"].isInt()) {
        Value before = op;
        before.editMap().set("at", op["before"]);
        auto address = addressOf(before);
        if (const auto* error = std::get_if<EngineError>(&address))
            return *error;
        query.before = std::get<engine::StateAddress>(address).checkpoint;
    }
    Value unaddressed = op;
    unaddressed.editMap().erase(Value("at"));
    auto address = addressOf(unaddressed);
    if (const auto* error = std::get_if<EngineError>(&address))
        return *error;
    query.at = std::get<engine::StateAddress>(address);
    if (op["limit"].isInt())
        query.limit = op["limit"].asInt();
    if (op["filter"].isMap())
        for (const auto& [key, value] : op["filter"].asMap())
            query.metadataFilter.emplace_back(key.asString(), value);
    const Canonical plain = canonical();
    ValueList snapshots;
    if (auto failed = m_engine->history(query, [&](const engine::StateSnapshot& snapshot) {
            snapshots.push_back(plain.snapshot(snapshot));
            return true;
        }))
        return *failed;
    return Value::map({ { "history", Value(std::move(snapshots)) } });
}

std::variant<Value, EngineError> CaseRunner::perform(const Value& op)
{
    const std::string kind = op.stringOr("op", "");
    if (kind == "invoke" || kind == "resume" || kind == "stream" || kind == "command")
        return runGraph(op);
    if (kind == "get_history")
        return history(op);
    if (kind == "dump")
        return Value::map({ { "db", dump(threadOf(op)) } });
    if (kind == "delete_thread") {
        (void)m_store->deleteThread(threadOf(op));
        return Value(ValueMap());
    }
    if (kind == "reopen") {
        if (const auto problem = open())
            return EngineError{ "CheckpointError", *problem };
        return Value(ValueMap());
    }
    auto address = addressOf(op);
    if (const auto* error = std::get_if<EngineError>(&address))
        return *error;
    const auto& at = std::get<engine::StateAddress>(address);
    if (kind == "update_state" || kind == "bulk_update_state")
        return update(op, at);
    if (kind != "get_state")
        return EngineError{ "ValueError", "unknown op " + kind };
    auto state = m_engine->getState(at, op.boolOr("subgraphs", false));
    if (const auto* error = std::get_if<EngineError>(&state))
        return *error;
    return Value::map({ { "state", canonical().snapshot(std::get<engine::StateSnapshot>(state)) } });
}

Value CaseRunner::dumpCheckpoint(const CheckpointRecord& record, const Canonical& plain)
{
    const auto numbers = [](const ValueMap& versions) {
        ValueMap out;
        for (const auto& [channel, version] : versions)
            out.set(channel, Value(engine::readVersion(version).number));
        return Value(std::move(out));
    };
    ValueMap seen;
    for (const auto& [node, versions] : record.checkpoint.versionsSeen)
        seen.set(node, numbers(versions.asMap()));
    Value updated;
    if (record.checkpoint.updatedChannels) {
        updated = Value(ValueList());
        for (const std::string& name : *record.checkpoint.updatedChannels)
            updated.editList().emplace_back(name);
    }
    ValueMap metadata{ { "source", record.metadata.source.empty() ? Value() : Value(record.metadata.source) },
                       { "step", Value(record.metadata.step) },
                       { "parents", Value(record.metadata.parents) } };
    for (const auto& [key, value] : record.metadata.extra)
        metadata.set(key, value);
    ValueList writes;
    bool gathered = false;
    for (const checkpoint::PendingWrite& write : record.writes) {
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
    return Value::map({ { "checkpoint", plain.rank(Value(record.ref.id.value)) },
                        { "parent", record.parent ? plain.rank(Value(record.parent->value)) : Value() },
                        { "type", "msgpack" },
                        { "v", record.checkpoint.version },
                        { "metadata", plain.metadata(Value(std::move(metadata))) },
                        { "channel_values", plain.value(Value(record.checkpoint.channelValues)) },
                        { "channel_versions", numbers(record.checkpoint.channelVersions) },
                        { "versions_seen", Value(std::move(seen)) },
                        { "updated_channels", std::move(updated) },
                        { "writes", Value(std::move(writes)) } });
}

Value CaseRunner::dump(const ThreadId& thread)
{
    const Canonical plain = canonical();
    std::vector<std::pair<std::string, ValueList>> namespaces; // by their first checkpoint's age
    for (const CheckpointRecord& record : records(thread, true)) {
        auto found = std::ranges::find(namespaces, record.ref.ns, &decltype(namespaces)::value_type::first);
        if (found == namespaces.end())
            found = namespaces.insert(namespaces.end(), { record.ref.ns, {} });
        found->second.push_back(dumpCheckpoint(record, plain));
    }
    std::ranges::stable_sort(namespaces, {}, [](const auto& entry) { return withoutUuids(entry.first); });
    ValueList out;
    for (auto& [ns, checkpoints] : namespaces)
        out.push_back(
            Value::map({ { "ns", withoutUuids(ns) }, { "checkpoints", Value(std::move(checkpoints)) } }));
    return Value(std::move(out));
}

} // namespace

Value runCase(const Value& description, const std::filesystem::path& folder)
{
    return CaseRunner(description, folder / "case.sqlite").run();
}

} // namespace sg::conformance
