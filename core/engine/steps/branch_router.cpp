#include "core/engine/steps/branch_router.h"

#include "core/base/json.h"
#include "core/engine/errors/python_text.h"
#include "core/engine/steps/node_updates.h"

#include <algorithm>

namespace sg::engine {
namespace {

// Tells whether the first keys of `map` are those of `start`, in its order.
bool startsWithKeys(const ValueMap& map, const ValueMap& start)
{
    return start.size() <= map.size()
        && std::equal(start.begin(), start.end(), map.begin(),
                      [](const auto& a, const auto& b) { return a.first == b.first; });
}

// Keys of `returned` that are no channels pass through; the values of channels win over it.
Value merged(const ValueMap& returned, const ValueMap& input)
{
    ValueMap out;
    out.reserve(returned.size() + input.size());
    for (const auto& [key, value] : returned)
        out.set(key, value);
    for (const auto& [key, value] : input)
        out.set(key, value);
    return Value(std::move(out));
}

// Returns null if the branch has no such label.
const CompiledTarget* targetOf(const CompiledBranch& branch, const Value& label)
{
    // JSON keys are text: "true" and "1" stand for what would be True and 1 in a Python dict.
    const bool hasText = label.isBool() || label.isInt();
    if (!branch.targets || !(label.isString() || hasText))
        return nullptr;
    const std::string text = hasText ? toJson(label) : std::string();
    const auto target =
        std::ranges::find(*branch.targets, hasText ? text : label.asString(), &CompiledTarget::label);
    return target == branch.targets->end() ? nullptr : &*target;
}

} // namespace

// Reads the state with this task's own writes in it, but not those of its siblings.
std::optional<Failure> BranchRouter::readFresh(ValueMap& out)
{
    out.reserve(m_scene.node.branchReads->size());
    for (const ReadKey& read : *m_scene.node.branchReads) {
        if (read.kind != ReadKey::Kind::Channel) {
            out.add(read.key, managedValue(read.kind, m_scene.limits));
            continue;
        }
        const auto isWritten = [&read](const Write& write) { return write.channel == read.channel; };
        const auto first = std::ranges::find_if(m_writes, isWritten);
        std::optional<Failure> error;
        if (first == m_writes.end()) {
            error = readWritten(read, {}, out);
        } else if (std::find_if(first + 1, m_writes.end(), isWritten) == m_writes.end()) {
            error = readWritten(read, { &first->value, 1 }, out);
        } else {
            std::vector<Value> writes;
            for (auto write = first; write != m_writes.end(); ++write)
                if (isWritten(*write))
                    writes.push_back(write->value);
            error = readWritten(read, writes, out);
        }
        if (error)
            return error;
    }
    return std::nullopt;
}

std::optional<Failure> BranchRouter::readWritten(const ReadKey& read, std::span<const Value> writes,
                                                 ValueMap& out)
{
    Channel& channel = m_scene.state.channel(read.channel);
    if (writes.empty() && !m_graph.channel(read.channel).traits.clearsItself) {
        if (channel.available())
            out.add(read.key, channel.get());
        return std::nullopt;
    }
    if (const Value* newest = channel.replacedBy(writes)) {
        out.add(read.key, *newest);
        return std::nullopt;
    }
    if (auto lent = m_scene.alone ? channel.lend(writes) : std::nullopt) {
        out.add(read.key, *std::move(lent));
        m_lent.push_back(&read);
        return std::nullopt;
    }
    const auto copy = channel.clone();
    std::vector<Value> moved(writes.begin(), writes.end());
    auto updated = copy->update(moved);
    if (const Failure* error = errorOf(updated))
        return *error;
    if (copy->available())
        out.add(read.key, copy->get());
    return std::nullopt;
}

// Gives back what readFresh() borrowed; otherwise `state` would share it and cause a copy.
void BranchRouter::takeBack(Value& state)
{
    for (const ReadKey* read : m_lent) {
        Value lent = std::move(state.editMap().at(read->key));
        m_scene.state.channel(read->channel).giveBack(std::move(lent));
    }
    m_lent.clear();
}

TaskEnd BranchRouter::route(const CompiledBranch& branch, const Value& returned)
{
    ValueMap fresh;
    const auto error = readFresh(fresh);
    Value input(std::move(fresh));
    TaskEnd end = error ? TaskEnd::failed(*error) : decide(branch, returned, input);
    takeBack(input);
    return end;
}

TaskEnd BranchRouter::decide(const CompiledBranch& branch, const Value& returned, Value& input)
{
    if (returned.isMap() && !startsWithKeys(input.asMap(), returned.asMap()))
        input = merged(returned.asMap(), input.asMap());
    NodeOutcome outcome = m_scene.runBranch(*branch.body, input);
    TaskEnd end;
    if (auto* failure = std::get_if<Failure>(&outcome))
        end = TaskEnd::failed(std::move(*failure));
    else if (std::holds_alternative<Interrupted>(outcome))
        end.kind = TaskEnd::Kind::Asked;
    else if (auto error = addDestinations(branch, std::get<Returned>(outcome).value))
        end = TaskEnd::failed(*std::move(error));
    return end;
}

std::optional<Failure> BranchRouter::addDestinations(const CompiledBranch& branch, const Value& result)
{
    if (const CompiledTarget* target = targetOf(branch, result);
        target != nullptr && target->node.value != kStartNode) {
        if (target->channel != kUnknownChannel) // the usual answer: one label
            m_writes.push_back({ .channel = target->channel });
        else if (target->node.value != kEndNode)
            m_writes.push_back(gotoWrite(m_graph, target->node.value, {}));
        return std::nullopt;
    }
    std::vector<Destination> destinations;
    const std::span<const Value> items =
        result.isList() ? std::span<const Value>(result.asList()) : std::span<const Value>(&result, 1);
    destinations.reserve(items.size());
    for (const Value& item : items) {
        const auto sendsTo = checkpoint::sendNode(item);
        if (!branch.targets || sendsTo) {
            destinations.push_back({ item, sendsTo });
            continue;
        }
        if (item.isMap() || item.isList())
            return Failure{ "TypeError", "unhashable type: '" + pythonTypeName(item) + "'" };
        const CompiledTarget* target = targetOf(branch, item);
        if (target == nullptr)
            return unknownTarget(branch, item);
        destinations.push_back({ Value(target->node.value), std::nullopt });
    }
    return write(destinations);
}

std::optional<Failure> BranchRouter::write(std::vector<Destination>& destinations)
{
    for (const auto& [value, sendsTo] : destinations)
        if (value.isNull() || (value.isString() && value.asString() == kStartNode))
            return Failure{ "ValueError", "Branch did not return a valid destination" };
    for (const auto& [value, sendsTo] : destinations)
        if (sendsTo == kEndNode)
            return Failure{ "InvalidUpdateError", "Cannot send a packet to the END node" };
    m_writes.reserve(m_writes.size() + destinations.size());
    for (auto& [value, sendsTo] : destinations) {
        if (sendsTo)
            m_writes.push_back({ m_graph.tasksChannel, std::move(value), {} });
        else if (const std::string name = pythonText(value); name != kEndNode)
            m_writes.push_back(gotoWrite(m_graph, name, {}));
    }
    return std::nullopt;
}

// LangGraph's error names the label alone, and its stored text is the same.
Failure BranchRouter::unknownTarget(const CompiledBranch& branch, const Value& label) const
{
    std::string known;
    for (const CompiledTarget& target : *branch.targets)
        known += (known.empty() ? "" : ", ") + target.label;
    return { "KeyError",
             "the branch from '" + m_scene.node.name.value + "' went to " + pythonRepr(label)
                 + ", which is none of its targets: " + known,
             {},
             true,
             "KeyError(" + pythonRepr(label) + ")" };
}

} // namespace sg::engine
