#include "tests/conformance/engine/canonical.h"

#include "core/checkpoint/serde/langgraph_types.h"
#include "core/engine/errors/python_text.h"
#include "tests/conformance/engine/python_json.h"

#include <algorithm>
#include <cmath>

namespace sg::conformance {
namespace {

constexpr std::size_t kUuidLength = 36;
constexpr double kJqExact = 9007199254740992; // 2^53

bool isUuidAt(const std::string& text, std::size_t at)
{
    if (at + kUuidLength > text.size())
        return false;
    for (std::size_t i = 0; i < kUuidLength; ++i) {
        const char c = text[at + i];
        const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (dash ? c != '-' : !((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f')))
            return false;
    }
    return true;
}

Value messageValue(const Value& message, bool hidesIds)
{
    ValueMap out{ { "type", message["type"] }, { "content", message["content"] }, { "id", message["id"] } };
    if (hidesIds && message["id"].isString() && message["id"].asString().size() == kUuidLength
        && isUuidAt(message["id"].asString(), 0))
        out.set("id", "<uuid>");
    if (engine::pythonTruth(message["tool_calls"])) {
        ValueList calls;
        for (const Value& call : message["tool_calls"].asList())
            calls.push_back(
                Value::map({ { "name", call["name"] }, { "args", call["args"] }, { "id", call["id"] } }));
        out.set("tool_calls", Value(std::move(calls)));
    }
    if (engine::pythonTruth(message["tool_call_id"]))
        out.set("tool_call_id", message["tool_call_id"]);
    if (engine::pythonTruth(message["name"]))
        out.set("name", message["name"]);
    return Value(std::move(out));
}

// Python's own text of a KeyError is the key; people are told more.
Value pythonMessage(const Value& error)
{
    const std::string prefix = "KeyError(";
    const std::string repr = error.stringOr("repr", "");
    if (!repr.starts_with(prefix) || !repr.ends_with(')'))
        return error["message"];
    return Value(repr.substr(prefix.size(), repr.size() - prefix.size() - 1));
}

void sortByText(ValueList& items)
{
    std::ranges::stable_sort(items, {}, [](const Value& item) { return sortKey(item); });
}

} // namespace

std::string withoutUuids(const std::string& text)
{
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        if (isUuidAt(text, i)) {
            out += '*';
            i += kUuidLength;
        } else {
            out += text[i++];
        }
    }
    return out;
}

Value plainValue(const Value& value)
{
    if (value.isMap()) {
        ValueMap out;
        for (const auto& [key, item] : value.asMap())
            out.set(Value(engine::pythonText(key)), plainValue(item));
        return Value(std::move(out));
    }
    if (value.isList()) {
        ValueList out;
        for (const Value& item : value.asList())
            out.push_back(plainValue(item));
        return Value(std::move(out));
    }
    if (const auto message = checkpoint::asMessage(value))
        return messageValue(*message, false);
    if (const auto items = checkpoint::asSet(value)) {
        ValueList out;
        for (const Value& item : *items)
            out.push_back(plainValue(item));
        sortByText(out);
        return Value(std::move(out));
    }
    if (const auto send = checkpoint::asSend(value))
        return Value::map(
            { { "__send__", Value::map({ { "node", send->node }, { "arg", plainValue(send->arg) } }) } });
    if (value.isExt() || value.isBytes())
        return Value(engine::pythonRepr(value));
    if (value.isNumber() && !value.isDouble() && std::fabs(value.asDouble()) > kJqExact)
        return Value(value.asDouble()); // as Python's jq reads it
    return value;
}

Value Canonical::ext(const Value& value) const
{
    if (const auto message = checkpoint::asMessage(value))
        return messageValue(*message, true);
    if (const auto interrupt = checkpoint::asInterrupt(value))
        return Value::map({ { "$interrupt", this->value(interrupt->value) } });
    if (const auto send = checkpoint::asSend(value))
        return Value::map(
            { { "$send", Value::map({ { "node", send->node }, { "arg", this->value(send->arg) } }) } });
    if (const auto snapshot = checkpoint::asDeltaSnapshot(value))
        return Value::map({ { "$delta_snapshot", this->value(*snapshot) } });
    if (const auto command = checkpoint::asCommand(value))
        return Value::map({ { "$command",
                              Value::map({ { "update", this->value(command->update) },
                                           { "goto", this->value(command->goTo) },
                                           { "resume", this->value(command->resume) },
                                           { "graph", command->graph } }) } });
    if (const auto items = checkpoint::asSet(value)) {
        ValueList out;
        for (const Value& item : *items)
            out.push_back(this->value(item));
        sortByText(out);
        return Value::map({ { "$set", Value(std::move(out)) } });
    }
    if (const auto overwrite = checkpoint::asOverwrite(value))
        return Value::map({ { "$overwrite", this->value(*overwrite) } });
    return Value(engine::pythonRepr(value));
}

Value Canonical::value(const Value& value) const
{
    if (value.isMap()) {
        ValueMap out;
        for (const auto& [key, item] : value.asMap()) {
            const std::string name = withoutUuids(engine::pythonText(key));
            out.set(Value(name), name == "__interrupt__" ? interrupts(item) : this->value(item));
        }
        return Value(std::move(out));
    }
    if (value.isList()) {
        ValueList out;
        for (const Value& item : value.asList())
            out.push_back(this->value(item));
        return Value(std::move(out));
    }
    if (value.isExt())
        return ext(value);
    if (value.isDouble() && std::trunc(value.asDouble()) == value.asDouble()
        && std::fabs(value.asDouble()) < 9.2e18)
        return Value(static_cast<std::int64_t>(value.asDouble()));
    if (value.isBytes())
        return Value(engine::pythonRepr(value));
    return value;
}

Value Canonical::interrupts(const Value& list) const
{
    if (!list.isList())
        return value(list);
    ValueList out;
    for (const Value& item : list.asList()) {
        if (const auto interrupt = checkpoint::asInterrupt(item))
            out.push_back(value(interrupt->value));
        else
            out.push_back(value(item.isMap() ? item["value"] : item));
    }
    sortByText(out);
    return Value(std::move(out));
}

Value Canonical::rank(const Value& id) const
{
    if (!id.isString())
        return {};
    const auto found = m_ranks.find(id.asString());
    return found == m_ranks.end() ? Value("unsaved") : Value(found->second);
}

Value Canonical::config(const Value& config) const
{
    if (!config.isMap())
        return {};
    const Value& inner = config["configurable"];
    ValueMap out{ { "ns", withoutUuids(inner.stringOr("checkpoint_ns", "")) } };
    if (const Value* id = inner.find("checkpoint_id"))
        out.set("checkpoint", rank(*id));
    return Value(std::move(out));
}

Value Canonical::config(const engine::SnapshotConfig& config) const
{
    ValueMap out{ { "ns", withoutUuids(config.ns) } };
    if (config.checkpoint)
        out.set("checkpoint", rank(Value(config.checkpoint->value)));
    return Value(std::move(out));
}

Value Canonical::metadata(const Value& metadata) const
{
    if (!metadata.isMap())
        return {};
    ValueMap out{ { "source", metadata["source"] }, { "step", metadata["step"] } };
    if (engine::pythonTruth(metadata["parents"])) {
        ValueMap parents;
        for (const auto& [ns, id] : metadata["parents"].asMap())
            parents.set(Value(withoutUuids(ns.asString())), rank(id));
        out.set("parents", Value(std::move(parents)));
    }
    for (const auto& [key, item] : metadata.asMap()) {
        const std::string& name = key.asString();
        if (name != "source" && name != "step" && name != "parents" && name != "ls_integration"
            && name != "run_id")
            out.set(key, value(item));
    }
    return Value(std::move(out));
}

Value Canonical::task(const engine::StateTask& task) const
{
    ValueMap out{ { "name", task.name.value },
                  { "path", value(task.path) },
                  { "error", value(task.error) },
                  { "interrupts", interrupts(Value(task.interrupts)) },
                  { "result", task.result ? value(*task.result) : Value() } };
    if (task.state)
        out.set("state", snapshot(*task.state));
    else if (task.stateNs)
        out.set("state", Value::map({ { "ns", withoutUuids(*task.stateNs) } }));
    return Value(std::move(out));
}

Value Canonical::snapshot(const engine::StateSnapshot& snapshot) const
{
    ValueList next;
    for (const NodeId& node : snapshot.next)
        next.emplace_back(node.value);
    ValueList tasks;
    for (const engine::StateTask& each : snapshot.tasks)
        tasks.push_back(task(each));
    return Value::map({ { "values", value(snapshot.values) },
                        { "next", Value(std::move(next)) },
                        { "config", snapshot.metadata ? config(snapshot.config) : Value() },
                        { "parent", snapshot.parent ? config(*snapshot.parent) : Value() },
                        { "metadata", snapshot.metadata ? metadata(*snapshot.metadata) : Value() },
                        { "tasks", Value(std::move(tasks)) },
                        { "interrupts", interrupts(Value(snapshot.interrupts)) } });
}

Value Canonical::taskChunk(const Value& data) const
{
    ValueMap out{ { "name", data["name"] } };
    if (data.find("triggers") != nullptr) {
        out.set("input", value(data["input"]));
        out.set("triggers", data["triggers"]);
        return Value(std::move(out));
    }
    const Value& error = data["error"];
    out.set("error",
            error.isMap() ? Value::map({ { "$error", error["type"] }, { "message", pythonMessage(error) } })
                          : value(error));
    out.set("result", value(data["result"]));
    out.set("interrupts", interrupts(data["interrupts"]));
    return Value(std::move(out));
}

Value Canonical::checkpointChunk(const Value& data) const
{
    ValueList tasks;
    for (const Value& each : data["tasks"].asList()) {
        ValueMap entry{ { "name", each["name"] } };
        for (const char* key : { "error", "result" })
            if (const Value* item = each.find(key))
                entry.set(key, value(*item));
        if (const Value* list = each.find("interrupts"))
            entry.set("interrupts", interrupts(*list));
        if (!each["state"].isNull())
            entry.set("state", config(each["state"]));
        tasks.push_back(Value(std::move(entry)));
    }
    return Value::map({ { "config", config(data["config"]) },
                        { "parent", config(data["parent_config"]) },
                        { "values", value(data["values"]) },
                        { "metadata", metadata(data["metadata"]) },
                        { "next", data["next"] },
                        { "tasks", Value(std::move(tasks)) } });
}

Value Canonical::chunk(const std::string& mode, const Value& data) const
{
    if (mode == "debug")
        return Value::map({ { "step", data["step"] },
                            { "type", data["type"] },
                            { "payload",
                              data.stringOr("type", "") == "checkpoint" ? checkpointChunk(data["payload"])
                                                                        : taskChunk(data["payload"]) } });
    if (mode == "tasks")
        return taskChunk(data);
    if (mode == "checkpoints")
        return checkpointChunk(data);
    return value(data);
}

} // namespace sg::conformance
