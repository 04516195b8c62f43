#include "core/workbench/documents.h"

#include "core/checkpoint/serde/inert.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sg::workbench {
namespace {

Value nodeNames(const std::vector<NodeId>& nodes)
{
    ValueList names;
    for (const NodeId& node : nodes)
        names.emplace_back(node.value);
    return names;
}

bool isJson(const Value& value)
{
    switch (value.kind()) {
    case Value::Kind::Double: return std::isfinite(value.asDouble());
    case Value::Kind::List: return std::ranges::all_of(value.asList(), isJson);
    case Value::Kind::Map:
        return std::ranges::all_of(value.asMap(), [](const auto& entry) { return isJson(entry.second); });
    default: return true;
    }
}

// JSON has no infinity, and null would look like nothing at all.
Value inJson(const Value& value)
{
    if (value.isDouble() && !std::isfinite(value.asDouble()))
        return std::isnan(value.asDouble()) ? "NaN" : value.asDouble() > 0 ? "Infinity" : "-Infinity";
    if (value.isList()) {
        ValueList list;
        for (const Value& item : value.asList())
            list.push_back(inJson(item));
        return list;
    }
    if (value.isMap()) {
        ValueMap map;
        for (const auto& [key, item] : value.asMap())
            map.set(key, inJson(item));
        return Value(std::move(map));
    }
    return value;
}

} // namespace

Value plain(const Value& value)
{
    Value shown = checkpoint::plainValue(value);
    return isJson(shown) ? shown : inJson(shown);
}

Value stateDocument(const engine::StateSnapshot& snapshot)
{
    const Value whole = plain(engine::toValue(snapshot));
    ValueMap document;
    for (const char* key : { "values", "next", "config", "metadata", "tasks", "interrupts" })
        document.set(key, whole[key]);
    return document;
}

Value historyDocument(const std::vector<CheckpointRow>& rows)
{
    ValueList document;
    for (const CheckpointRow& row : rows)
        document.push_back(
            Value::map({ { "checkpoint_id", row.id.value },
                         { "parent_checkpoint_id", row.parent ? Value(row.parent->value) : Value() },
                         { "checkpoint_ns", row.ns },
                         { "step", row.step },
                         { "source", row.source },
                         { "next", nodeNames(row.next) },
                         { "created_at", row.createdAt } }));
    return document;
}

Value threadsDocument(const std::vector<ThreadRow>& rows)
{
    ValueList document;
    for (const ThreadRow& row : rows)
        document.push_back(Value::map({ { "thread_id", row.thread.value },
                                        { "checkpoints", row.checkpoints },
                                        { "updated_at", row.updatedAt },
                                        { "status", row.status } }));
    return document;
}

Value artifactDocument(const artifacts::Artifact& artifact, const std::filesystem::path& blob)
{
    return Value::map({ { "id", artifact.id.value },
                        { "name", artifact.name },
                        { "path", artifact.path },
                        { "size", Value(static_cast<std::size_t>(artifact.size)) },
                        { "mime", artifact.mime },
                        { "sha256", artifact.sha256 },
                        { "thread_id", artifact.origin.thread.value },
                        { "run_id", artifact.origin.run.value },
                        { "node", artifact.origin.node.value },
                        { "step", artifact.origin.step },
                        { "created_at", artifact.createdAt },
                        { "blob", blob.string() } });
}

Value runDocument(const ThreadId& thread, const engine::RunResult& result, ValueList artifacts)
{
    ValueList interrupts;
    for (const engine::PendingInterrupt& interrupt : result.interrupts)
        interrupts.push_back(Value::map({ { "id", interrupt.id },
                                          { "node", interrupt.node.value },
                                          { "value", plain(interrupt.value) } }));
    Value values = result.values.isNull() ? Value::map() : plain(result.values);
    if (values.isMap())
        values.editMap().erase("__interrupt__");
    Value error;
    if (!result.error.empty() || !result.errorType.empty())
        error = Value::map({ { "node", result.failedNode.empty() ? Value() : Value(result.failedNode.value) },
                             { "type", result.errorType },
                             { "message", result.error },
                             { "traceback", result.detail } });
    return Value::map({ { "run_id", result.run.value },
                        { "thread_id", thread.value },
                        { "status", engine::runStatusName(result.status) },
                        { "supersteps", result.supersteps },
                        { "checkpoint_id", result.head ? Value(result.head->value) : Value() },
                        { "values", std::move(values) },
                        { "interrupts", std::move(interrupts) },
                        { "artifacts", std::move(artifacts) },
                        { "error", std::move(error) } });
}

Value problemsDocument(const std::vector<graph::Problem>& problems)
{
    ValueList list;
    bool valid = true;
    for (const graph::Problem& problem : problems) {
        const bool isError = problem.severity == graph::Problem::Severity::Error;
        valid = valid && !isError;
        list.push_back(Value::map({ { "severity", isError ? "error" : "warning" },
                                    { "code", problem.code },
                                    { "message", problem.message },
                                    { "pointer", problem.pointer },
                                    { "line", Value(problem.position.line) },
                                    { "column", Value(problem.position.column) } }));
    }
    return Value::map({ { "valid", valid }, { "problems", std::move(list) } });
}

} // namespace sg::workbench
