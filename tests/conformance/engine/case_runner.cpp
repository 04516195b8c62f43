#include "tests/conformance/engine/case_runner.h"

#include "core/checkpoint/memory_checkpoint_store.h"
#include "core/checkpoint/postgres_checkpoint_store.h"
#include "core/checkpoint/sqlite_checkpoint_store.h"
#include "tests/conformance/engine/case_database.h"
#include "tests/conformance/engine/case_graph.h"
#include "tests/conformance/engine/case_operation.h"
#include "tests/conformance/engine/python_json.h"

#include <algorithm>

namespace sg::conformance {

using engine::Failure;

namespace {

Value errorValue(const Failure& error)
{
    const std::string firstLine = error.message.substr(0, error.message.find('\n'));
    return Value::map(
        { { "error", Value::map({ { "type", error.type }, { "message", withoutUuids(firstLine) } }) } });
}

Value chunkList(const std::vector<engine::StreamChunk>& chunks, bool withNamespaces, const Canonical& plain)
{
    ValueList list;
    for (const engine::StreamChunk& chunk : chunks) {
        ValueMap entry{ { "mode", chunk.mode }, { "data", plain.chunk(chunk.mode, chunk.data) } };
        if (withNamespaces) {
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
    return Value(std::move(list));
}

} // namespace

CaseRunner::CaseRunner(const Value& description, std::filesystem::path database, CaseMemory& memory)
    : m_case(description)
    , m_database(std::move(database))
    , m_memory(memory)
{
}

std::optional<std::string> CaseRunner::open()
{
    m_engine.reset();
    m_store.reset();
    checkpoint::SqliteStoreOptions options;
    options.fullSync = false;
    auto store = checkpoint::isPostgresAddress(m_database.string())
        ? checkpoint::openPostgresCheckpointStore(m_database.string(),
                                                  checkpoint::makeMemoryCheckpointStore())
        : checkpoint::openSqliteCheckpointStore(m_database, options);
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

// Answers by the place of their question among the pending ones, in the order of the questions' texts.
std::variant<engine::RunInput, Failure> CaseRunner::answersOf(const Value& op)
{
    auto state = m_engine->getState({ threadOf(op), "", std::nullopt });
    if (const auto* error = std::get_if<Failure>(&state))
        return *error;
    ValueList interrupts = std::get<engine::StateSnapshot>(state).interrupts;
    const Canonical plain = CaseDatabase(*m_store).canonical();
    std::ranges::stable_sort(interrupts, {},
                             [&plain](const Value& each) { return sortKey(plain.value(each["value"])); });
    ValueMap byId;
    for (const auto& [place, answer] : op["resume_by"].asMap()) {
        const auto index = static_cast<std::size_t>(std::stoul(place.asString()));
        if (index >= interrupts.size())
            return Failure{ "ScriptError", "no such interrupt" };
        byId.set(interrupts[index]["id"], answer);
    }
    return engine::RunInput::resumeById(std::move(byId));
}

std::variant<Value, Failure> CaseRunner::runGraph(const Value& op)
{
    auto input = op.find("resume_by") != nullptr ? answersOf(op) : runInputOf(op);
    if (const auto* error = std::get_if<Failure>(&input))
        return *error;
    const CaseDatabase database(*m_store);
    auto address = database.addressOf(op);
    if (const auto* error = std::get_if<Failure>(&address))
        return *error;
    const engine::RunOptions options = runOptionsOf(op, std::get<engine::StateAddress>(address));
    std::vector<engine::StreamChunk> chunks;
    const auto result =
        m_engine->run(std::get<engine::RunInput>(input), options, [&chunks](const auto& event) {
            if (const auto* chunk = std::get_if<engine::StreamChunk>(&event.body))
                chunks.push_back(*chunk);
        });
    const Canonical plain = database.canonical();
    const bool failed = result.status == RunStatus::Failed || result.status == RunStatus::RecursionLimit;
    const Failure error{ result.errorType, result.error };
    if (op.stringOr("op", "") != "stream")
        return failed ? std::variant<Value, Failure>(error)
                      : Value::map({ { "result", plain.value(result.values) } });
    if (options.durability == engine::Durability::Exit)
        for (engine::StreamChunk& chunk : chunks)
            database.finishMetadata(chunk, options.thread);
    Value out = failed ? errorValue(error) : Value(ValueMap());
    out.editMap().set("chunks", chunkList(chunks, options.streamSubgraphs, plain));
    return out;
}

std::variant<Value, Failure> CaseRunner::history(const Value& op)
{
    const CaseDatabase database(*m_store);
    engine::HistoryQuery query;
    if (op["before"].isInt()) {
        Value before = op;
        before.editMap().set("at", op["before"]);
        auto address = database.addressOf(before);
        if (const auto* error = std::get_if<Failure>(&address))
            return *error;
        query.before = std::get<engine::StateAddress>(address).checkpoint;
    }
    Value unaddressed = op;
    unaddressed.editMap().erase(Value("at"));
    auto address = database.addressOf(unaddressed);
    if (const auto* error = std::get_if<Failure>(&address))
        return *error;
    query.at = std::get<engine::StateAddress>(address);
    if (op["limit"].isInt())
        query.limit = op["limit"].asInt();
    if (op["filter"].isMap())
        for (const auto& [key, value] : op["filter"].asMap())
            query.metadataFilter.emplace_back(key.asString(), value);
    const Canonical plain = database.canonical();
    ValueList snapshots;
    if (auto failed = m_engine->history(query, [&](const engine::StateSnapshot& snapshot) {
            snapshots.push_back(plain.snapshot(snapshot));
            return true;
        }))
        return *failed;
    return Value::map({ { "history", Value(std::move(snapshots)) } });
}

std::variant<Value, Failure> CaseRunner::resultOf(const Value& op)
{
    const std::string kind = op.stringOr("op", "");
    const CaseDatabase database(*m_store);
    if (kind == "invoke" || kind == "resume" || kind == "stream" || kind == "command")
        return runGraph(op);
    if (kind == "get_history")
        return history(op);
    if (kind == "dump")
        return Value::map({ { "db", database.dump(threadOf(op)) } });
    if (kind == "delete_thread") {
        (void)m_store->deleteThread(threadOf(op));
        return Value(ValueMap());
    }
    if (kind == "reopen") {
        if (const auto problem = open())
            return Failure{ "CheckpointError", *problem };
        return Value(ValueMap());
    }
    auto address = database.addressOf(op);
    if (const auto* error = std::get_if<Failure>(&address))
        return *error;
    const auto& at = std::get<engine::StateAddress>(address);
    if (kind == "update_state" || kind == "bulk_update_state") {
        auto done = m_engine->bulkUpdateState(at, updatesOf(op));
        if (const auto* error = std::get_if<Failure>(&done))
            return *error;
        return Value::map(
            { { "config", database.canonical().config(std::get<engine::SnapshotConfig>(done)) } });
    }
    if (kind != "get_state")
        return Failure{ "ValueError", "unknown op " + kind };
    auto state = m_engine->getState(at, op.boolOr("subgraphs", false));
    if (const auto* error = std::get_if<Failure>(&state))
        return *error;
    return Value::map({ { "state", database.canonical().snapshot(std::get<engine::StateSnapshot>(state)) } });
}

Value CaseRunner::perform(const Value& op)
{
    auto result = resultOf(op);
    Value entry = std::holds_alternative<Value>(result) ? std::get<Value>(std::move(result))
                                                        : errorValue(std::get<Failure>(result));
    entry.editMap().set("op", op["op"]);
    return entry;
}

Value runCase(const Value& description, const std::filesystem::path& folder)
{
    CaseMemory memory;
    CaseRunner runner(description, folder / "case.sqlite", memory);
    if (const auto problem = runner.open())
        return Value::map(
            { { "compile_error", Value::map({ { "type", "ValueError" }, { "message", *problem } }) } });
    ValueList trace;
    for (const Value& op : description["ops"].asList())
        trace.push_back(runner.perform(op));
    return Value::map({ { "trace", Value(std::move(trace)) }, { "runs", countsValue(memory.runs) } });
}

} // namespace sg::conformance
