#include "app/cli/documents.h"

#include "core/checkpoint/serde/plain_data.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sg::cli {
namespace {

Value nodeNames(const std::vector<NodeId>& nodes)
{
    ValueList names;
    for (const NodeId& node : nodes)
        names.emplace_back(node.value);
    return names;
}

void addProblem(ValueMap& row, const std::string& problem)
{
    if (!problem.empty())
        row.set("problem", problem);
}

const char* severityName(graph::Problem::Severity severity)
{
    switch (severity) {
    case graph::Problem::Severity::Error: return "error";
    case graph::Problem::Severity::Warning: return "warning";
    case graph::Problem::Severity::Hint: return "hint";
    }
    return "error";
}

template<typename Id>
Value orNull(const Id& id)
{
    return id.empty() ? Value() : Value(id.value);
}

} // namespace

Value stateDocument(const engine::StateSnapshot& snapshot)
{
    const Value whole = checkpoint::plain(engine::toValue(snapshot));
    ValueMap document;
    for (const char* key : { "values", "next", "config", "metadata", "tasks", "interrupts" })
        document.set(key, whole[key]);
    return document;
}

Value historyDocument(const std::vector<history::CheckpointRow>& rows)
{
    ValueList document;
    for (const history::CheckpointRow& row : rows) {
        ValueMap entry{ { "checkpoint_id", row.id.value },
                        { "parent_checkpoint_id", row.parent ? Value(row.parent->value) : Value() },
                        { "checkpoint_ns", row.ns },
                        { "step", row.step },
                        { "source", row.source.text() },
                        { "next", nodeNames(row.next) },
                        { "created_at", row.createdAt } };
        addProblem(entry, row.problem);
        document.emplace_back(std::move(entry));
    }
    return document;
}

Value changeDocument(const runs::StateChange& change)
{
    return Value::map({ { "thread_id", change.thread.value },
                        { "checkpoint_id", change.checkpoint.value },
                        { "parent_checkpoint_id", orNull(change.parent.value_or(CheckpointId())) },
                        { "checkpoint_ns", change.ns },
                        { "step", change.step },
                        { "source", change.source.text() },
                        { "next", nodeNames(change.next) } });
}

Value explanationDocument(const std::vector<history::SuperstepReasons>& supersteps)
{
    ValueList document;
    for (const history::SuperstepReasons& superstep : supersteps) {
        ValueList tasks;
        for (const history::TaskReason& task : superstep.tasks) {
            ValueList triggers;
            for (const history::TriggerReason& trigger : task.triggers)
                triggers.push_back(Value::map({ { "channel", trigger.channel },
                                                { "version", trigger.version },
                                                { "seen", trigger.seen },
                                                { "set_at", orNull(trigger.setAt) },
                                                { "source", trigger.source.text() },
                                                { "written_by", nodeNames(trigger.writtenBy) } }));
            tasks.push_back(Value::map({ { "task_id", orNull(task.task) },
                                         { "node", task.node.value },
                                         { "kind", task.isSend ? "send" : "pull" },
                                         { "outcome", taskOutcomeName(task.outcome) },
                                         { "triggers", std::move(triggers) } }));
        }
        document.push_back(Value::map({ { "checkpoint_id", superstep.checkpoint.value },
                                        { "step", superstep.step },
                                        { "source", superstep.source.text() },
                                        { "tasks", std::move(tasks) } }));
    }
    return document;
}

Value threadsDocument(const std::vector<history::ThreadRow>& rows)
{
    ValueList document;
    for (const history::ThreadRow& row : rows) {
        ValueMap entry{ { "thread_id", row.thread.value },
                        { "checkpoints", row.checkpoints },
                        { "updated_at", row.updatedAt },
                        { "status", runStatusName(row.status) } };
        addProblem(entry, row.problem);
        document.emplace_back(std::move(entry));
    }
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

Value packagesDocument(const std::vector<checkpoint::RunPackages>& packages)
{
    ValueList list;
    for (const checkpoint::RunPackages& each : packages)
        if (each.layer != checkpoint::kProjectModules)
            list.push_back(Value::map(
                { { "layer", each.layer }, { "packages", ValueList(each.pins.begin(), each.pins.end()) } }));
    return list;
}

Value modulesDocument(const std::vector<checkpoint::RunPackages>& packages)
{
    ValueList list;
    for (const checkpoint::RunPackages& each : packages)
        if (each.layer == checkpoint::kProjectModules)
            list.insert(list.end(), each.pins.begin(), each.pins.end());
    return list;
}

Value runDocument(const ThreadId& thread, const engine::RunResult& result, ValueList artifacts,
                  const std::vector<checkpoint::RunPackages>& packages)
{
    ValueList interrupts;
    for (const engine::PendingInterrupt& interrupt : result.interrupts)
        interrupts.push_back(Value::map({ { "id", interrupt.id },
                                          { "node", interrupt.node.value },
                                          { "value", checkpoint::plain(interrupt.value) } }));
    Value values = result.values.isNull() ? Value::map() : checkpoint::plain(result.values);
    if (values.isMap())
        values.editMap().erase("__interrupt__");
    Value error;
    if (!result.error.empty() || !result.errorType.empty())
        error = Value::map({ { "node", result.failedNode.empty() ? Value() : Value(result.failedNode.value) },
                             { "type", result.errorType },
                             { "message", result.error },
                             { "traceback", result.detail } });
    Value first;
    if (const auto& failure = result.firstFailure)
        first = Value::map({ { "node", failure->node.value },
                             { "checkpoint_ns", failure->ns },
                             { "step", failure->step },
                             { "type", failure->errorType },
                             { "message", failure->error } });
    return Value::map({ { "run_id", result.run.value },
                        { "thread_id", thread.value },
                        { "status", runStatusName(result.status) },
                        { "supersteps", result.supersteps },
                        { "checkpoint_id", result.head ? Value(result.head->value) : Value() },
                        { "values", std::move(values) },
                        { "interrupts", std::move(interrupts) },
                        { "artifacts", std::move(artifacts) },
                        { "requirements", packagesDocument(packages) },
                        { "modules", modulesDocument(packages) },
                        { "error", std::move(error) },
                        { "first_failure", std::move(first) } });
}

Value runsDocument(const std::vector<history::RunRow>& rows)
{
    ValueList list;
    for (const auto& [run, packages] : rows)
        list.push_back(
            Value::map({ { "run_id", run.id.value },
                         { "graph", run.graph },
                         { "started_at", isoTime(run.startedAt) },
                         { "finished_at", run.finishedAt ? Value(isoTime(*run.finishedAt)) : Value() },
                         { "status", runStatusName(run.status) },
                         { "supersteps", run.supersteps },
                         { "requirements", packagesDocument(packages) },
                         { "modules", modulesDocument(packages) },
                         { "error", run.error.empty() ? Value() : Value(run.error) } }));
    return list;
}

int tellAllowed(const Output& out, const char* kind, const std::string& name, const std::string& risk)
{
    const std::string what = risk.empty() ? "needs no permission" : risk;
    if (out.json)
        out.document(Value::map({ { kind, name }, { "allowed", true }, { "what", what } }));
    out.text(name + ": allowed; it " + what);
    return Done;
}

Value problemsDocument(const std::vector<graph::Problem>& problems)
{
    ValueList list;
    bool valid = true;
    for (const graph::Problem& problem : problems) {
        const bool isError = problem.severity == graph::Problem::Severity::Error;
        valid = valid && !isError;
        list.push_back(Value::map({ { "severity", severityName(problem.severity) },
                                    { "code", problem.code },
                                    { "message", problem.message },
                                    { "pointer", problem.pointer },
                                    { "line", Value(problem.position.line) },
                                    { "column", Value(problem.position.column) } }));
    }
    return Value::map({ { "valid", valid }, { "problems", std::move(list) } });
}

} // namespace sg::cli
